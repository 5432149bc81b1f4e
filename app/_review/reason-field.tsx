'use client';

import { type KeyboardEvent, type Ref, useId } from 'react';
import type { Reason } from '@/lib/review/reasons.ts';

type ReasonFieldProps = {
  ref?: Ref<HTMLFieldSetElement>;
  legend: string;
  reasons: readonly Reason[];
  value: string | null;
  onChange: (code: string) => void;
  /** Called with the reason that is chosen. Enter on another one only chooses it, so that no reason is sent unread. */
  onEnter?: (code: string) => void;
  onEscape?: () => void;
  due?: boolean;
};

/** One reason of a list: arrows choose, Enter confirms where something waits for the reason. */
export function ReasonField({ ref, legend, reasons, value, onChange, onEnter, onEscape, due }: ReasonFieldProps) {
  const name = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && onEnter) {
      event.preventDefault();
      const focused = event.target instanceof HTMLInputElement ? event.target.value : null;
      if (focused !== null && focused !== value) onChange(focused);
      else if (value !== null) onEnter(value);
    }
    if (event.key === 'Escape' && onEscape) {
      event.preventDefault();
      onEscape();
    }
  };
  return (
    <fieldset ref={ref} onKeyDown={onKeyDown}>
      <legend className="label">
        {legend}
        {due && <span className="ml-2 text-verdict-restrict">a reason is due</span>}
      </legend>
      <div className="mt-1 flex flex-col">
        {reasons.map(({ code, text }) => (
          <label
            key={code}
            className="flex min-h-6 items-start gap-2 rounded-sm py-0.5 pr-1 hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:min-h-11 max-md:items-center"
          >
            <input
              type="radio"
              className="mt-[3px] size-3.5 shrink-0 accent-accent outline-none max-md:mt-0"
              name={name}
              value={code}
              checked={value === code}
              onChange={() => onChange(code)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Puts the focus on the chosen reason, or on the first. */
export function focusReason(field: HTMLFieldSetElement | null): void {
  const inputs = field?.querySelectorAll('input') ?? [];
  ([...inputs].find((input) => input.checked) ?? inputs[0])?.focus();
}

'use client';

import type { DeskPolicy } from '../_server/case-json.ts';
import { Key } from '../_ui/button.tsx';
import { useShortcut } from '../_ui/keyboard.tsx';

type LabelFieldProps = {
  policy: DeskPolicy;
  chosen: readonly string[];
  toggle: (label: string) => void;
  onShow: (label: string) => void;
};

/** Digits there are. */
const DIGITS = 9;

/** The labels of the policy: those that apply, whatever the verdict. The policy text beside follows the pointer and focus. */
export function LabelField({ policy, chosen, toggle, onShow }: LabelFieldProps) {
  if (policy.labels.length === 0) return null;
  return (
    <fieldset>
      <legend className="label">Labels that apply</legend>
      <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-x-2">
        {policy.labels.map(({ name }, index) => (
          <label
            key={name}
            onMouseEnter={() => onShow(name)}
            className="flex min-h-7 items-center gap-2 rounded-sm px-1 hover:bg-sunken max-md:min-h-11"
          >
            <Key className={index < DIGITS ? '' : 'invisible'}>{index + 1}</Key>
            <input
              type="checkbox"
              className="size-3.5 shrink-0 accent-accent"
              checked={chosen.includes(name)}
              onFocus={() => onShow(name)}
              onChange={() => toggle(name)}
            />
            <span className="min-w-0 truncate" title={name}>
              {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The digits of the labels; apart from the field, so that they also count while its sheet is closed. */
export function LabelKeys({ policy, toggle, onShow }: Omit<LabelFieldProps, 'chosen'>) {
  const press = (name: string) => {
    toggle(name);
    onShow(name);
  };
  return policy.labels
    .slice(0, DIGITS)
    .map(({ name }, index) => <LabelKey key={name} digit={index + 1} name={name} press={() => press(name)} />);
}

function LabelKey({ digit, name, press }: { digit: number; name: string; press: () => void }) {
  useShortcut(String(digit), `Label: ${name}`, press);
  return null;
}

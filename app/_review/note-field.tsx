'use client';

import { type Ref, useId } from 'react';
import { NOTE_LENGTH_MAX } from '@/lib/review/limits.ts';
import { Key } from '../_ui/button.tsx';

type NoteFieldProps = {
  ref?: Ref<HTMLTextAreaElement>;
  label?: string;
  hint?: string;
  value: string;
  onChange: (text: string) => void;
  onBlur?: () => void;
};

/** A note for colleagues. Escape leaves it and keeps the text. */
export function NoteField({ ref, label = 'Note', hint, value, onChange, onBlur }: NoteFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="label flex items-center gap-2">
        {hint && <Key>{hint.toUpperCase()}</Key>}
        {label} <span className="font-normal">for colleagues, optional</span>
      </label>
      <textarea
        ref={ref}
        id={id}
        rows={3}
        className="field mt-1 resize-y"
        maxLength={NOTE_LENGTH_MAX}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
          event.stopPropagation();
          event.currentTarget.blur();
        }}
      />
    </div>
  );
}

'use client';

import { useState } from 'react';
import { buttonClass, Key } from '../_ui/button.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { useKeyboard, useShortcut } from '../_ui/keyboard.tsx';

type Row = { keys: string; does: string };

/** The list of keys, made from the keys that the open page really has. */
export function KeysHelp() {
  const { list, lettersOn, setLettersOn } = useKeyboard();
  const [rows, setRows] = useState<readonly Row[] | null>(null);
  const show = () => setRows(list().toSorted((a, b) => Number(a.keys.length > 1) - Number(b.keys.length > 1)));
  useShortcut('?', 'Show this list', show);
  return (
    <>
      <button type="button" onClick={show} className={buttonClass('quiet', 'max-md:hidden')}>
        <Key>?</Key> Keys
      </button>
      <Dialog
        open={rows !== null}
        onOpenChange={(open) => !open && setRows(null)}
        title="Keys of this page"
        description="They rest while you type, while a dialog is open, and with any modifier."
      >
        <dl className="columns-2 gap-6 max-md:columns-1">
          {rows?.map(({ keys, does }) => (
            <div key={keys} className="flex min-h-6 break-inside-avoid items-center gap-3">
              <dt className="flex w-11 shrink-0 gap-1">
                <span className="sr-only">{keys}</span>
                {keys.split(' ').map((key) => (
                  <Key key={key} className="max-md:inline-grid!">
                    {key === 'Enter' ? '↵' : key.toUpperCase()}
                  </Key>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <label className="flex items-center gap-2 border-t border-line pt-3">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={lettersOn}
            onChange={(event) => setLettersOn(event.target.checked)}
          />
          Single-letter keys are on. Turn them off if they get in the way of a screen reader or of speech.
        </label>
      </Dialog>
    </>
  );
}

'use client';

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { deskKey } from './keys.ts';

/** One key of the page that is open, as the list of keys shows it. */
export type Shortcut = { readonly keys: string; readonly does: string; readonly run: () => void };

type Keyboard = {
  /** @returns a function that takes the key away again. */
  readonly register: (id: symbol, shortcut: { readonly current: Shortcut }) => () => void;
  readonly list: () => readonly { keys: string; does: string }[];
  readonly lettersOn: boolean;
  readonly setLettersOn: (on: boolean) => void;
};

const KeyboardContext = createContext<Keyboard | null>(null);

/** `g` waits this long for its second letter. */
const SEQUENCE_MS = 1500;
const STORED_AS = 'docket-letters';

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]), textarea, select, [contenteditable=""], [contenteditable=true]';
const OPEN_DIALOG = '[role=dialog][data-state=open], [role=alertdialog][data-state=open], [role=menu][data-state=open]';

/** Listens once for the whole desk; pages add and take away keys with `useShortcut`. */
export function KeyboardProvider({ children }: { children: ReactNode }) {
  const shortcuts = useRef(new Map<symbol, { readonly current: Shortcut }>());
  const [lettersOn, setOn] = useState(true);
  const on = useRef(true);

  const setLettersOn = useCallback((next: boolean) => {
    on.current = next;
    setOn(next);
    window.localStorage.setItem(STORED_AS, next ? 'on' : 'off');
  }, []);

  useEffect(() => {
    const kept = window.localStorage.getItem(STORED_AS) !== 'off';
    on.current = kept;
    setOn(kept);
  }, []);

  // Before the browser paints: a key that is printed on the screen must already work.
  useLayoutEffect(() => {
    let leader = Number.NEGATIVE_INFINITY;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      const key = deskKey(event, {
        typing: target?.closest(FIELDS) != null,
        onControl: target?.closest('button, a, summary, input, [role=button]') != null,
        dialogOpen: document.querySelector(OPEN_DIALOG) !== null,
      });
      if (key === null || (!on.current && key !== 'Enter')) return;
      const led = event.timeStamp - leader < SEQUENCE_MS;
      leader = key === 'g' && !led ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const wanted = led ? `g ${key}` : key;
      const found = [...shortcuts.current.values()].findLast((shortcut) => shortcut.current.keys === wanted);
      if (!found) return;
      event.preventDefault();
      found.current.run();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const keyboard = useMemo<Keyboard>(
    () => ({
      register: (id, shortcut) => {
        shortcuts.current.set(id, shortcut);
        return () => shortcuts.current.delete(id);
      },
      list: () => [...shortcuts.current.values()].map(({ current: { keys, does } }) => ({ keys, does })),
      lettersOn,
      setLettersOn,
    }),
    [lettersOn, setLettersOn],
  );
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>;
}

/** @throws outside of KeyboardProvider. */
export function useKeyboard(): Keyboard {
  const keyboard = useContext(KeyboardContext);
  if (!keyboard) throw new Error('no KeyboardProvider above');
  return keyboard;
}

/**
 * Gives the page a key while the caller is on screen; of two for the same key the later one counts.
 * @param keys one letter, digit, `?`, `Enter`, or `g q`; null while the key means nothing.
 * @param does what it does, for the list of keys.
 */
export function useShortcut(keys: string | null, does: string, run: () => void): void {
  const { register } = useKeyboard();
  const latest = useRef<Shortcut>({ keys: keys ?? '', does, run });
  useLayoutEffect(() => {
    latest.current = { keys: keys ?? '', does, run };
  });
  useLayoutEffect(() => (keys === null ? undefined : register(Symbol(keys), latest)), [keys, register]);
}

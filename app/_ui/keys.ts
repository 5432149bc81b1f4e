/** Which single-letter key a press means, if any. One rule for the whole desk, so that no key fires by accident. */

export type KeyPress = {
  readonly key: string;
  readonly code: string;
  readonly repeat: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
};

/** Where the press happened. */
export type KeyPlace = {
  /** In a field: everything typed belongs to it. */
  readonly typing: boolean;
  /** On a button or link, which Enter and Space belong to. */
  readonly onControl: boolean;
  /** While a dialog or menu is open, which has keys of its own. */
  readonly dialogOpen: boolean;
};

/** What browsers report while an input method is composing, where isComposing is not set yet. */
const COMPOSING_KEY_CODE = 229;

/**
 * @returns the key as it is registered (`a`, `1`, `?`, `Enter`), or null where the press means nothing to the desk: while
 * typing, composing or in a dialog, with a modifier, or on repeat. Shift counts as a modifier for letters only; `?`
 * needs it on most keyboards.
 */
export function deskKey(press: KeyPress, place: KeyPlace): string | null {
  if (place.typing || place.dialogOpen) return null;
  if (press.repeat || press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.isComposing || press.keyCode === COMPOSING_KEY_CODE) return null;
  if (press.key === 'Enter' || press.key === ' ') return place.onControl || press.shiftKey ? null : press.key;
  const letter = latinLetter(press);
  if (letter) return press.shiftKey ? null : letter;
  return press.key.length === 1 ? press.key : null;
}

/** The letter, whatever Caps Lock says; on a keyboard with another script the one printed at the same place. */
function latinLetter(press: KeyPress): string | null {
  if (/^[a-z]$/i.test(press.key)) return press.key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(press.code)?.[1];
  return place && press.key.length === 1 && press.key > '\u007f' ? place.toLowerCase() : null;
}

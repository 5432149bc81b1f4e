import clsx from 'clsx';
import { type Piece, pieces } from './marks.ts';

/**
 * Words of strangers: a text node and nothing else, isolated from the page in both directions. What cannot be seen is
 * named where it stands; selecting and copying gives the text as it is stored.
 */
export function StrangerText({ text, className }: { text: string; className?: string }) {
  return (
    <bdi dir="auto" className={clsx('stranger', className)}>
      {withKeys(pieces(text)).map(({ at, piece }) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span key={at} className="unseen" data-name={piece.name}>
            {piece.text}
          </span>
        ),
      )}
    </bdi>
  );
}

/** A short line of a stranger's text, cut by the box and whole in its title. */
export function StrangerLine({ text, className }: { text: string; className?: string }) {
  return (
    <bdi dir="auto" title={text} className={clsx('block truncate', className)}>
      {withKeys(pieces(text)).map(({ at, piece }) =>
        piece.kind === 'text' ? (
          piece.text
        ) : (
          <span key={at} className="unseen" data-name={piece.name}>
            {piece.text}
          </span>
        ),
      )}
    </bdi>
  );
}

function withKeys(found: readonly Piece[]): { at: number; piece: Piece }[] {
  let at = 0;
  return found.map((piece) => {
    const entry = { at, piece };
    at += piece.text.length;
    return entry;
  });
}

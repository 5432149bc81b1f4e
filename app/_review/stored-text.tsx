'use client';

import { useState } from 'react';
import type { ItemJson } from '../_server/case-json.ts';
import { countUnseen, pieces } from '../_ui/marks.ts';
import { StrangerText } from '../_ui/stranger-text.tsx';

type Revision = Pick<ItemJson['revision'], 'text' | 'title' | 'authorName' | 'parentText'>;

/** The revision exactly as it is stored: what was shown to the classifier, and nothing that was not. */
export function StoredText({ revision }: { revision: Revision }) {
  const [plain, setPlain] = useState(false);
  if (revision.text === null)
    return <p className="text-muted">The text of this revision was erased. Its record remains.</p>;
  const unseen = countUnseen(pieces([revision.title, revision.authorName, revision.text].filter(Boolean).join('\n')));
  return (
    <article aria-label="The text under review" className="flex flex-col gap-3">
      {revision.parentText !== null && <Parent text={revision.parentText} />}
      {revision.authorName !== null && (
        <p className="text-muted">
          by <StrangerText text={revision.authorName} className="font-medium text-text" />
        </p>
      )}
      {revision.title !== null && (
        <h2 className="max-w-[68ch] text-read font-semibold">
          <Words text={revision.title} plain={plain} />
        </h2>
      )}
      {revision.text === '' ? (
        <p className="text-muted">The text is empty.</p>
      ) : (
        <p data-testid="stored-text" className="max-w-[68ch] text-read">
          <Words text={revision.text} plain={plain} />
        </p>
      )}
      {unseen.unseen > 0 && (
        <p className="flex flex-wrap items-center gap-x-3 text-muted">
          {unseenSentence(unseen)}
          <button type="button" className="link" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {plain ? 'Mark them' : 'Show it as readers see it'}
          </button>
        </p>
      )}
    </article>
  );
}

function Words({ text, plain }: { text: string; plain: boolean }) {
  if (!plain) return <StrangerText text={text} />;
  return (
    <bdi dir="auto" className="stranger">
      {text}
    </bdi>
  );
}

/** What it answers, folded once it is long: the judgement is about the text below it. */
function Parent({ text }: { text: string }) {
  return (
    <details open={text.length < PARENT_OPEN_LENGTH} className="max-w-[68ch] border-l-2 border-line pl-3">
      <summary className="label">In reply to</summary>
      <div className="mt-1 text-muted">
        <StrangerText text={text} />
      </div>
    </details>
  );
}

const PARENT_OPEN_LENGTH = 400;

function unseenSentence({ unseen, turning }: { unseen: number; turning: number }): string {
  const all =
    unseen === 1 ? '1 character that cannot be seen is marked' : `${unseen} characters that cannot be seen are marked`;
  return turning === 0 ? `${all}.` : `${all}; ${turning} of them turn the direction of the text.`;
}

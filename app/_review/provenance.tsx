import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ItemJson } from '../_server/case-json.ts';
import { instantText } from '../_ui/age.ts';
import { contentPath } from '../_ui/content-address.ts';
import { Age } from '../_ui/now.tsx';
import { StrangerText } from '../_ui/stranger-text.tsx';
import { Verdict } from '../_ui/verdict.tsx';
import { actorWords, failureSentence, scoreText, statusWords } from '../_ui/words.ts';

/** Where this stands now, in one line: what it is, where it came from, what strangers see of it. */
export function Facts({ view }: { view: ItemJson }) {
  const { item, revision } = view;
  const { mark, words } = statusWords(item.status, item.action);
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
      <span>
        {item.contentType} in <span className="text-text">{item.source}</span>
      </span>
      <span>
        revision <span className="code text-text">{revision.revision}</span>, arrived{' '}
        <Age at={revision.arrivedAt} suffix=" ago" />
      </span>
      {revision.language && <span>{revision.language}</span>}
      <span className="inline-flex items-center gap-1">
        now <Verdict mark={mark} word={words} />
      </span>
      <Link href={contentPath(item.contentId)} className="link">
        Timeline
      </Link>
    </p>
  );
}

/** How the machine came to what it said, down to the hashes; folded, as few need it and some need all of it. */
export function Provenance({ view, decisionId }: { view: ItemJson; decisionId: string }) {
  const { decision, exception, revision, attempts, item } = view;
  return (
    <details className="max-w-[80ch]">
      <summary className="label">Provenance</summary>
      <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-0.5">
        <Fact name="content">
          <StrangerText text={item.contentId} className="code" />
        </Fact>
        <Fact name="decision id" code={decisionId} />
        <Fact name="text sha256" code={revision.textSha256} />
        <Fact name="input sha256" code={revision.inputSha256} />
        {decision && (
          <>
            <Fact name="model" code={`${decision.classifier}: ${decision.model}`} />
            <Fact name="prompt sha256" code={decision.promptSha256} />
            <Fact name="contract" code={decision.contractVersion} />
            <Fact name="decided">{instantText(decision.committedAt)}</Fact>
            {decision.segmentCount > 1 && <Fact name="segments">{decision.segmentCount}</Fact>}
          </>
        )}
        {exception && <Fact name="failed">{instantText(exception.failedAt)}</Fact>}
        {attempts.map((attempt) => (
          <Fact key={attempt.number} name={`attempt ${attempt.number}`}>
            <span className="code">{attempt.outcome ?? 'no outcome'}</span> {instantText(attempt.startedAt)}
            {attempt.latencyMs !== null && `, ${attempt.latencyMs} ms`}
          </Fact>
        ))}
      </dl>
    </details>
  );
}

function Fact({ name, code, children }: { name: string; code?: string; children?: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{code === undefined ? children : <span className="code">{code}</span>}</dd>
    </>
  );
}

/** What was concluded before about the same content, by people and by machines. */
export function Earlier({ view }: { view: ItemJson }) {
  const { reviews, otherDecisions } = view;
  if (reviews.length + otherDecisions.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier" className="label">
        Earlier on this content
      </h2>
      <ul className="mt-1 flex flex-col gap-1">
        {reviews.map((review) => (
          <li key={review.reviewId} className="flex flex-wrap items-baseline gap-x-2">
            <Verdict mark={review.verdict} />
            <span>
              {review.userName} ({review.role}), revision <span className="code">{review.revision}</span>
              {review.labels.length > 0 && `, ${review.labels.join(', ')}`}
            </span>
            <span className="text-muted">
              <Age at={review.at} suffix=" ago" />
            </span>
            {review.note && (
              <span className="w-full border-l-2 border-line pl-2 text-muted">
                <StrangerText text={review.note} />
              </span>
            )}
          </li>
        ))}
        {otherDecisions.map((decision) => (
          <li key={decision.decisionId} className="flex flex-wrap items-baseline gap-x-2">
            <Verdict mark={decision.verdict} />
            <span>
              {actorWords(`policy:${decision.policyVersion}`, null)}, revision{' '}
              <span className="code">{decision.revision}</span>
              {decision.because[0] &&
                `, ${decision.because[0].label} ${decision.because[0].score === null ? '' : scoreText(decision.because[0].score)}`}
            </span>
            <span className="text-muted">
              <Age at={decision.committedAt} suffix=" ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In plain words what went wrong with the classifier, where it gave no opinion. */
export function failureWords(view: ItemJson, code: string): string {
  const tries = view.attempts.length;
  const tried = tries > 1 ? ` It was tried ${tries} times.` : '';
  return `${failureSentence(code)}${tried}`;
}

import clsx from 'clsx';
import type { ItemJson } from '../_server/case-json.ts';
import { type Mark, Verdict } from '../_ui/verdict.tsx';
import { scoreText, thresholdText } from '../_ui/words.ts';

type Rule = ItemJson['policy']['rules'][number];
type Line = { label: string; score: number | null; reviewAt: number | null; restrictAt: number | null; mark: Mark };

type ScoresProps = {
  scores: Readonly<Record<string, number | null>>;
  rules: readonly Rule[];
  shown: string | null;
  onShow?: (label: string) => void;
};

/** Each label's score against the thresholds of the policy: a table, whose bars repeat the figures for the eye. */
export function Scores({ scores, rules, shown, onShow }: ScoresProps) {
  const lines = linesOf(scores, rules);
  const used = lines.filter((line) => line.reviewAt !== null);
  const unused = lines.filter((line) => line.reviewAt === null);
  return (
    <div>
      <table className="w-full max-w-[68ch] border-separate border-spacing-0">
        <caption className="label pb-1 text-left">Scores against thresholds</caption>
        <thead className="sr-only">
          <tr>
            <th>Label</th>
            <th>Score</th>
            <th>Bar</th>
            <th>Thresholds</th>
            <th>Reached</th>
          </tr>
        </thead>
        <tbody>
          {used.map((line) => (
            <Row key={line.label} line={line} shown={line.label === shown} onShow={onShow} />
          ))}
        </tbody>
      </table>
      {unused.length > 0 && (
        <p className="mt-1 text-small text-muted">
          Not used by this policy:{' '}
          {unused.map(({ label, score }) => `${label} ${score === null ? '–' : scoreText(score)}`).join(' · ')}
        </p>
      )}
    </div>
  );
}

function Row({ line, shown, onShow }: { line: Line; shown: boolean; onShow: ScoresProps['onShow'] }) {
  const { label, score, reviewAt, restrictAt, mark } = line;
  return (
    <tr onMouseEnter={() => onShow?.(label)} className={clsx(shown && 'bg-sunken')}>
      <th scope="row" className="w-32 truncate py-0.5 pr-3 pl-1 text-left font-medium">
        {label}
      </th>
      <td className="w-12 pr-3 text-right tabular-nums">{score === null ? 'none' : scoreText(score)}</td>
      <td aria-hidden="true" className="min-w-24">
        <Bar line={line} />
      </td>
      <td className="w-44 px-3 text-small whitespace-nowrap text-muted tabular-nums max-md:hidden">
        {reviewAt !== null && `review ${thresholdText(reviewAt)}`}
        {restrictAt !== null && ` · restrict ${thresholdText(restrictAt)}`}
      </td>
      <td className="w-20 pl-2 text-small">
        {mark === 'allow' ? <span className="sr-only">none</span> : <Verdict mark={mark} />}
      </td>
    </tr>
  );
}

const FILL: Partial<Record<Mark, string>> = { review: 'bg-verdict-review', restrict: 'bg-verdict-restrict' };

/** The score from 0 to 1; a notch where a person is asked, and one where a restriction is proposed. */
function Bar({ line: { score, reviewAt, restrictAt, mark } }: { line: Line }) {
  return (
    <div className="relative h-2 bg-wash-pending">
      <div
        className={clsx('h-full', FILL[mark] ?? 'bg-verdict-pending')}
        style={{ width: `${Math.max(0, Math.min(1, score ?? 0)) * 100}%` }}
      />
      {[reviewAt, restrictAt].map(
        (threshold) =>
          threshold !== null && (
            <span
              key={threshold}
              className="absolute -top-1 h-4 w-0.5 -translate-x-px bg-text"
              style={{ left: `${threshold * 100}%` }}
            />
          ),
      )}
    </div>
  );
}

function linesOf(scores: ScoresProps['scores'], rules: readonly Rule[]): Line[] {
  const lines = Object.entries(scores).map(([label, score]): Line => {
    const rule = rules.find((one) => one.label === label);
    const reviewAt = rule?.reviewAt ?? null;
    const restrictAt = rule?.restrictAt ?? null;
    return { label, score, reviewAt, restrictAt, mark: reached(score, reviewAt, restrictAt) };
  });
  return lines.toSorted((a, b) => (b.score ?? 2) - (a.score ?? 2));
}

function reached(score: number | null, reviewAt: number | null, restrictAt: number | null): Mark {
  if (reviewAt === null) return 'allow';
  if (score === null) return 'review';
  if (restrictAt !== null && score >= restrictAt) return 'restrict';
  return score >= reviewAt ? 'review' : 'allow';
}

import type { TimelineEntry } from '@/lib/review/timeline.ts';
import type { Json } from '../_server/json.ts';
import type { Mark } from '../_ui/verdict.tsx';
import { actorWords, failureSentence, reasonShort, scoreText, statusWords } from '../_ui/words.ts';

export type Entry = Json<TimelineEntry>;
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** One line of a timeline: a mark, a sentence, what belongs to it, and whether it only kept the work going. */
export type Line = {
  readonly mark: Mark | null;
  readonly sentence: string;
  readonly detail: string | null;
  readonly quiet: boolean;
};

/** @returns an entry in words. */
export function lineOf(entry: Entry): Line {
  switch (entry.kind) {
    case 'arrival':
      return line(
        null,
        `Revision ${entry.revision} arrived`,
        `${entry.codePointCount} characters, sha256 ${entry.textSha256.slice(0, 12)}`,
      );
    case 'decision':
      return decision(entry);
    case 'exception':
      return line(
        'failed',
        `Classification under ${entry.policyVersion} ended without an answer`,
        failureSentence(entry.code),
      );
    case 'case':
      return caseLine(entry);
    case 'review':
      return line(
        entry.verdict,
        `${entry.userName} (${entry.role}) decided ${entry.verdict}`,
        parts([
          entry.labels.join(', '),
          entry.reasonCode && `reason ${entry.reasonCode}`,
          `revision ${entry.revision}`,
        ]),
      );
    case 'action':
      return action(entry);
    case 'record':
      return record(entry);
  }
}

function line(mark: Mark | null, sentence: string, detail: string | null, quiet = false): Line {
  return { mark, sentence, detail, quiet };
}

function parts(all: readonly (string | null | false)[]): string | null {
  return all.filter(Boolean).join(' · ') || null;
}

function decision(entry: Of<'decision'>): Line {
  const why = entry.because.map(({ label, score, threshold, rule }) =>
    score === null
      ? reasonShort({ label, score, rule })
      : `${label} ${scoreText(score)}, ${rule === 'restrictAt' ? 'restrict' : 'review'} at ${threshold}`,
  );
  return line(
    entry.verdict,
    `${entry.policyVersion} decided ${entry.verdict}`,
    parts([why.join('; '), `${entry.classifier}:${entry.model.slice(0, 8)}`, `revision ${entry.revision}`]),
  );
}

const CASE_EVENTS: Readonly<Record<string, { words: string; quiet: boolean }>> = {
  opened: { words: 'opened a case for a person to look at', quiet: false },
  claimed: { words: 'claimed the case', quiet: true },
  released: { words: 'gave the case back', quiet: true },
  expired: { words: 'let the claim of a case run out', quiet: true },
  skipped: { words: 'skipped the case', quiet: true },
  deferred: { words: 'deferred the case', quiet: true },
  not_sure: { words: 'could not tell, and left the case to others', quiet: true },
  escalated: { words: 'escalated the case to the moderators', quiet: false },
  submitted: { words: 'sent a decision', quiet: true },
  taken_back: { words: 'took the decision back before it counted', quiet: true },
  refused: { words: 'had a decision refused', quiet: false },
  closed: { words: 'closed the case', quiet: true },
};

function caseLine(entry: Of<'case'>): Line {
  const { words, quiet } = CASE_EVENTS[entry.event] ?? { words: entry.event, quiet: false };
  const told = ['reason', 'refusal', 'as', 'verdict']
    .map((key) => entry.data[key])
    .filter((value) => typeof value === 'string');
  const who = capital(actorWords(entry.actor, entry.actorName));
  return line(
    null,
    `${who} ${words}`,
    parts([told.join(', ').replaceAll('_', ' '), entry.mode === 'record' && 'record only']),
    quiet,
  );
}

const STEPS: Readonly<Record<Of<'action'>['step'], { words: string; mark: Mark | null }>> = {
  proposed: { words: 'was proposed', mark: 'review' },
  approved: { words: 'was approved', mark: 'restrict' },
  applied: { words: 'is applied', mark: 'restrict' },
  rejected: { words: 'was rejected', mark: 'allow' },
  reversed: { words: 'was reversed', mark: 'allow' },
  withdrawn: { words: 'was withdrawn', mark: 'pending' },
};

function action(entry: Of<'action'>): Line {
  const { words, mark } = STEPS[entry.step];
  const by = entry.actor === null ? '' : ` by ${actorWords(entry.actor, entry.actorName)}`;
  const ending = entry.closedAs?.replaceAll('_', ' ') ?? null;
  return line(
    mark,
    `"${entry.action}" ${words}${by}`,
    parts([entry.label, entry.step === 'proposed' && entry.reasonCode && `reason ${entry.reasonCode}`, ending]),
  );
}

function record(entry: Of<'record'>): Line {
  const from = statusWords(entry.prior.status, entry.prior.action).words;
  const to = statusWords(entry.next.status, entry.next.action);
  const who = actorWords(entry.actor, entry.actorName);
  const unchanged = from === to.words;
  return line(
    to.mark,
    unchanged ? `Record ${entry.version}: stays ${to.words}` : `Record ${entry.version}: ${from} → ${to.words}`,
    parts([`by ${who}`, `reason ${entry.reason}`, answersWords(entry.answers), `rank ${entry.next.rank}`]),
  );
}

/** What a record answers, without the ids that only machines compare. */
function answersWords(answers: string | null): string | null {
  const [what, id] = answers?.split(':') ?? [];
  if (what === 'record') return `goes back through record ${id}`;
  if (what === 'review') return 'after the review';
  return what === 'action' ? 'after the approval' : null;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// People at the desk: each claims the next case, sends a review and goes on; the review itself takes effect afterwards.
// The acts are those behind the screen's routes, without the web server.
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '../../../lib/db/pool.db.ts';
import { caseView } from '../../../lib/review/case-view.db.ts';
import { claimNext } from '../../../lib/review/claim.db.ts';
import { listQueue, queueCounts } from '../../../lib/review/queue.db.ts';
import { settleSubmission } from '../../../lib/review/settle.db.ts';
import { submitReview } from '../../../lib/review/submit.db.ts';
import { clock, contender } from '../child.ts';
import { percentile } from '../figures.ts';
import { ASK, MAKE_DUE } from '../statements.sql.ts';

type Job = { url: string; people: string[]; casesEach: number; pages: number; restMs: number };
const PAGE = 50;

await contender(async (job: Job) => {
  const pool = openPool(job.url, { applicationName: 'docket web', max: job.people.length });
  await Promise.all(job.people.map(() => pool.query(ASK)));
  const took: Record<'queue' | 'list' | 'counts' | 'ask' | 'claim' | 'submit' | 'settle', number[]> = {
    queue: [],
    list: [],
    counts: [],
    ask: [],
    claim: [],
    submit: [],
    settle: [],
  };
  const timed = async <T>(what: keyof typeof took, act: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const value = await act();
    took[what].push(performance.now() - began);
    return value;
  };
  const readQueue = async (): Promise<void> => {
    let after: string | null = null;
    for (let page = 0; page < job.pages; page++) {
      const list = await timed('queue', async () => {
        const [found] = await Promise.all([
          listQueue(pool, { queue: 'review', after, limit: PAGE }),
          queueCounts(pool),
        ]);
        return found;
      });
      after = list.next;
      await timed('list', () => listQueue(pool, { queue: 'review', after, limit: PAGE }));
      await timed('counts', () => queueCounts(pool));
      await timed('ask', () => pool.query(ASK));
    }
  };
  const review = async (userId: string): Promise<void> => {
    for (let at = 0; at < job.casesEach; at++) {
      await sleep(job.restMs * (0.5 + Math.random()));
      const claimed = await timed('claim', () => claimNext(pool, { userId, queue: 'review' }));
      if (!claimed.ok) throw new Error(`a claim was refused: ${claimed.refusal}`);
      const { caseId, token } = claimed.value;
      const view = await caseView(pool, caseId);
      const revision = view?.case.revision ?? '';
      const words = { verdict: 'allow', labels: [], reasonCode: null, note: null, revision } as const;
      const sent = await timed('submit', () => submitReview(pool, { caseId, token, userId, ...words }));
      if (!sent.ok) throw new Error(`a review was refused: ${sent.refusal}`);
      await pool.query(MAKE_DUE, [sent.value.submissionId]);
      const settled = await timed('settle', () => settleSubmission(pool, sent.value.submissionId));
      if (settled.outcome !== 'effective') throw new Error(`a review ended as ${settled.outcome}`);
    }
  };
  const stop = clock();
  await readQueue();
  await Promise.all(job.people.map(review));
  const more = Object.fromEntries(
    Object.entries(took).flatMap(([what, times]) => [
      [`${what}P50Ms`, percentile(times, 0.5)],
      [`${what}P95Ms`, percentile(times, 0.95)],
    ]),
  );
  const measured = stop(more);
  await pool.end();
  return measured;
});

import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { QUEUE_CASES, QUEUES, type Queue } from '../review/queues.ts';
import { CASE_AGES, CASE_FLOW, PROPOSAL_AGES, PROPOSAL_FLOW } from './queue-age.sql.ts';

/** How long what waits in a queue has waited; milliseconds by the database's clock, null where nothing waits. */
export type QueueAges = {
  readonly queue: Queue | 'approvals';
  readonly count: number;
  readonly oldestAt: Date | null;
  readonly oldestMs: number | null;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  /** Came in and went out within the last hour and the last day, whoever took it out. */
  readonly flow: {
    readonly inHour: number;
    readonly outHour: number;
    readonly inDay: number;
    readonly outDay: number;
  };
};

const agesRow = z.object({
  count: z.int(),
  oldest_at: z.date().nullable(),
  oldest: z.number().nullable(),
  percentiles: z.tuple([z.number(), z.number(), z.number()]).nullable(),
});
const flowRow = z.object({ in_hour: z.int(), in_day: z.int(), out_hour: z.int(), out_day: z.int() });
const caseFlowRow = flowRow.extend({ queue: z.enum(QUEUES) });
const NO_FLOW = { in_hour: 0, in_day: 0, out_hour: 0, out_day: 0 };

/** @returns age and flow of every queue of people, the approvals last. */
export async function queueAges(db: Queryable): Promise<QueueAges[]> {
  const flows = (await db.query(CASE_FLOW)).rows.map((row) => caseFlowRow.parse(row));
  const cases: QueueAges[] = [];
  for (const queue of QUEUES) {
    const { tier, kinds } = QUEUE_CASES[queue];
    const { rows } = await db.query(CASE_AGES, [tier, kinds]);
    cases.push(toAges(queue, agesRow.parse(rows[0]), flows.find((row) => row.queue === queue) ?? NO_FLOW));
  }
  const ages = agesRow.parse((await db.query(PROPOSAL_AGES)).rows[0]);
  const flow = flowRow.parse((await db.query(PROPOSAL_FLOW)).rows[0]);
  return [...cases, toAges('approvals', ages, flow)];
}

function toAges(queue: QueueAges['queue'], ages: z.infer<typeof agesRow>, flow: z.infer<typeof flowRow>): QueueAges {
  const ms = (value: number | undefined | null): number | null =>
    value === null || value === undefined ? null : Math.max(0, Math.round(value));
  return {
    queue,
    count: ages.count,
    oldestAt: ages.oldest_at,
    oldestMs: ms(ages.oldest),
    p50Ms: ms(ages.percentiles?.[0]),
    p90Ms: ms(ages.percentiles?.[1]),
    p99Ms: ms(ages.percentiles?.[2]),
    flow: { inHour: flow.in_hour, outHour: flow.out_hour, inDay: flow.in_day, outDay: flow.out_day },
  };
}

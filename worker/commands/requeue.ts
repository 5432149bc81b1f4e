import { FAILURES } from '../../lib/classifier/failure.ts';
import { BORN_CLOSED } from '../../lib/work/item-state.ts';
import { type RequeueRefusal, requeueRun } from '../../lib/work/requeue.db.ts';
import { CliError, type Command, textOption } from '../command.ts';
import { requireRun, summaryOf } from '../find-run.ts';
import { runText } from '../run-text.ts';

const REFUSALS: Record<Exclude<RequeueRefusal, 'unknown_run'>, string> = {
  wrong_state: 'a cancelled run takes no item back',
  not_requeueable: 'exceptions of this code were closed for good: nothing is left to classify',
};

/** Born-closed codes are known, too: they are refused as not requeueable. */
const KNOWN: ReadonlySet<string> = new Set([...Object.keys(FAILURES), ...BORN_CLOSED]);

export const command: Command = {
  name: 'requeue',
  summary: 'Give the exceptions of one code fresh attempts',
  usage: ['requeue RUN --code CODE'],
  options: { code: { type: 'string' } },
  needsDatabase: true,
  run: async (context) => {
    const [nameOrId, ...more] = context.positionals;
    const code = textOption(context, 'code');
    if (nameOrId === undefined || more.length > 0 || code === undefined) {
      throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    }
    if (!KNOWN.has(code)) {
      throw new CliError('unknown_code', `there is no failure code "${code}"; known are: ${[...KNOWN].join(', ')}`);
    }
    const run = await requireRun(context.pool, nameOrId);
    const done = await requeueRun(context.pool, { runId: run.id, code, actor: 'cli' });
    const summary = await summaryOf(context.pool, run.id);
    if (!done.ok) {
      if (done.refusal === 'unknown_run') throw new Error('a run vanished');
      const refused = `not done: ${REFUSALS[done.refusal]}`;
      return { exit: 1, json: { ...summary, refused: done.refusal }, text: [refused, ...runText(summary)] };
    }
    const { requeued, inHands, reviewed } = done.value;
    const counted = `${requeued} requeued, ${inHands} in somebody's hands, ${reviewed} reviewed already`;
    return {
      exit: requeued > 0 ? 0 : 1,
      json: { ...summary, requeued, in_hands: inHands, reviewed },
      text: [counted, ...runText(summary)],
    };
  },
};

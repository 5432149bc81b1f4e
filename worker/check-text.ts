import type { Interval } from '../lib/kernel/wilson.ts';
import type { Bar } from '../lib/quality/release.ts';
import type { ClassifierCheck } from './check-classifier.ts';
import { evaluationJson, evaluationLines } from './evaluation-text.ts';

/** @returns the answers as --json prints them. */
export function checkJson({ schema, quality, pace, data, unknown, ready }: ClassifierCheck): object {
  return {
    ready,
    unknown,
    schema: {
      answer: schema.answer,
      calls: schema.calls,
      usable: schema.usable,
      share: schema.share,
      interval: schema.interval,
      failure_codes: schema.failureCodes,
      stopped: schema.stopped,
    },
    quality: {
      answer: quality.answer,
      bars: quality.bars,
      ...(quality.evaluation && evaluationJson(quality.evaluation)),
    },
    pace: {
      answer: pace.answer,
      concurrency: pace.concurrency,
      calls: pace.calls,
      elapsed_ms: rounded(pace.elapsedMs),
      per_minute: rounded(pace.perMinute),
      p50_ms: rounded(pace.p50Ms),
      p95_ms: rounded(pace.p95Ms),
      backlog: pace.backlog,
      objective_minutes: pace.objectiveMinutes,
      needed_minutes: rounded(pace.neededMinutes),
    },
    data: {
      answer: data.answer,
      leaves: data.leaves,
      host: data.host,
      encrypted: data.encrypted,
      members: data.members,
      besides: data.besides,
      key_variable: data.keyVariable,
      key_set: data.keySet,
      kept: data.kept,
    },
  };
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}

/** @returns the answers for people: a line for each question, what it rests on below. */
export function checkLines(check: ClassifierCheck): string[] {
  const { schema, quality, pace, unknown } = check;
  return [
    `1. Does it hold to the schema? ${schema.answer}`,
    `   ${schema.usable} of ${schema.calls} answers could be used${within(schema.interval)}`,
    ...Object.entries(schema.failureCodes).map(([code, count]) => `   ${code}: ${count}`),
    ...(schema.stopped === null ? [] : [`   asking stopped at ${schema.stopped}: every further call would end alike`]),
    `2. How good is it on your own gold? ${quality.answer}`,
    ...(quality.evaluation
      ? [...quality.bars.map(barLine), ...evaluationLines(quality.evaluation)].map((line) => `   ${line}`)
      : ['   name files of gold with --gold']),
    `3. Does it keep the queue-age objective? ${pace.answer}`,
    ...paceLines(check).map((line) => `   ${line}`),
    '4. Which data leaves to where?',
    ...dataLines(check).map((line) => `   ${line}`),
    unknown.length > 0 ? `Still unknown: ${unknown.join(', ')}` : 'Nothing is unknown.',
  ];
}

function within(interval: Interval | null): string {
  return interval === null ? '' : ` (share ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
}

function barLine({ metric, label, asked, found, met }: Bar): string {
  if (metric === 'unreadable') return 'a criterion of the policy that this program cannot read: unknown';
  const verdict = met === null ? 'too few to say' : met ? 'met' : 'MISSED';
  const name = label === null ? metric : `${metric} of ${label}`;
  return `${name}: ${found === null ? 'none' : Number(found.toFixed(2))}, the policy asks ${asked}: ${verdict}`;
}

function paceLines({ pace }: ClassifierCheck): string[] {
  const { perMinute, p50Ms, p95Ms, neededMinutes, backlog, objectiveMinutes } = pace;
  const lines = [
    perMinute === null
      ? 'nothing usable came back, so there is no pace'
      : `${perMinute.toFixed(0)} texts a minute at ${pace.concurrency} calls at once, measured on ${pace.calls}`,
    ...(p50Ms === null || p95Ms === null ? [] : [`latency p50 ${p50Ms.toFixed(0)} ms, p95 ${p95Ms.toFixed(0)} ms`]),
  ];
  if (neededMinutes !== null) lines.push(`a backlog of ${backlog} takes ${neededMinutes.toFixed(1)} minutes`);
  if (objectiveMinutes !== null) lines.push(`the objective is ${objectiveMinutes} minutes`);
  if (backlog === null || objectiveMinutes === null)
    lines.push('say --backlog N and --objective MINUTES to have it judged');
  else if (pace.answer === 'unknown') lines.push('too few calls for this many at once: raise --sample');
  return lines;
}

function dataLines({ data }: ClassifierCheck): string[] {
  const shown = data.members.join(', ');
  const kept = `kept here: ${data.kept.join('; ')}`;
  if (!data.leaves) return [`nothing leaves this process; it reads ${shown}`, kept];
  const way = data.encrypted ? 'encrypted' : 'NOT encrypted';
  const key =
    data.keyVariable === null ? 'no key' : `key from ${data.keyVariable}, which is ${data.keySet ? 'set' : 'NOT set'}`;
  return [`to ${data.host}, ${way}, ${key}`, `of the content: ${shown}`, `besides: ${data.besides.join(', ')}`, kept];
}

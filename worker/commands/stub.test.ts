import { describe, expect, test } from 'vitest';
import { readClassifiers } from '../../lib/classifier/config.ts';
import type { CommandContext } from '../command.ts';
import { command } from './stub.ts';

function context(
  values: Record<string, unknown>,
  signal = AbortSignal.abort(),
  out: (line: string) => void = () => {},
) {
  const given: Partial<CommandContext> = { positionals: [], values, signal, out };
  return given as CommandContext;
}

describe('docket stub', () => {
  test('prints a classifiers file that is valid as it stands, for the address it was given', async () => {
    const { exit, text } = await command.run(context({ 'print-classifiers': true, port: '4999' }));
    expect(exit).toBe(0);
    const read = readClassifiers(text.join('\n'));
    if (!read.ok) throw new Error(read.faults.join());
    expect(read.value.map(({ adapter }) => adapter)).toEqual(
      expect.arrayContaining(['openai-chat', 'openai-moderation', 'text-classification', 'http-json']),
    );
    for (const entry of read.value) expect(new URL(entry.base_url).host).toBe('127.0.0.1:4999');
  });

  test('serves until it is stopped, and then tells what it did', async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    let started = (_: string): void => {};
    const listening = new Promise<string>((resolve) => {
      started = resolve;
    });
    const running = command.run(
      context({ port: '0', misbehave: '503=1' }, stop.signal, (line) => {
        lines.push(line);
        started(/http:\/\/\S+:\d+/.exec(line)?.[0] ?? '');
      }),
    );
    const origin = await listening;
    expect((await fetch(`${origin}/predict`, { method: 'POST', body: '{"inputs":"canary-turnip"}' })).status).toBe(503);
    stop.abort();
    const ended = await running;
    expect(ended).toMatchObject({ exit: 0, json: { requests: 1, answered: 0, by_fault: { 503: 1 } } });
    expect(JSON.stringify([lines, ended])).not.toContain('canary-turnip');
    await expect(fetch(origin)).rejects.toThrow();
  });

  test.each([
    [{ misbehave: 'fire=1' }, 'bad_option'],
    [{ misbehave: '503=7' }, 'bad_option'],
    [{ port: '70000' }, 'bad_option'],
    [{ seed: 'x' }, 'bad_option'],
    [{ host: '192.0.2.1', port: '0' }, 'bad_option'],
  ])('%j is bad use', async (values, code) => {
    await expect(command.run(context(values))).rejects.toMatchObject({ code });
  });
});

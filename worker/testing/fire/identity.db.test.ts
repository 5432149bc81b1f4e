import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportRun } from '../../../lib/exports/export-run.db.ts';
import { reconcile } from '../../../lib/work/reconcile.db.ts';
import { audit } from './books.db.ts';
import { type Crew, makeCrew } from './crew.db.ts';
import { corpus, makeScene, mixed, type Scene, type StartedRun } from './scene.db.ts';

let scene: Scene;
let crew: Crew;
beforeAll(async () => {
  scene = await makeScene();
  crew = makeCrew(scene, 2);
});
afterAll(async () => {
  crew.abandon();
  await scene.close();
});

type Row = { content_id: string; decision_id: string; committed_at: string; verdict: string; deduplicated?: true };

/** @returns the decision rows of a run's bundle by content. */
async function exported(run: StartedRun): Promise<Map<string, Row>> {
  const docket = { version: '0.1.0', commit: null };
  const done = await exportRun(scene.database.pool, {
    run: run.name,
    outFolder: path.join(scene.folder, 'out'),
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket,
  });
  if (!done.ok) throw new Error(done.refusal);
  const text = await readFile(path.join(done.value.path, 'decisions.ndjson'), 'utf8');
  const rows = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Row] : []));
  return new Map(rows.map((row) => [row.content_id, row]));
}

test('overlapping runs of one policy version under two workers: each closes, each exports the one decision', async () => {
  const rows = corpus('o', mixed(90));
  const ids = (from: number, to: number) => rows.slice(from, to).map((row) => (row as Row).content_id);
  const one = await scene.startOver(rows.slice(0, 60));
  const two = await scene.startOver(rows.slice(30));
  await crew.fill();
  await scene.finish();
  expect(await audit(scene.database.pool)).toEqual([]);
  for (const run of [one, two]) {
    expect(await reconcile(scene.database.pool, run.id)).toMatchObject({ closes: true, pending: 0 });
  }

  const [first, second] = [await exported(one), await exported(two)];
  const decided = (id: string): boolean =>
    !/broken|refused/.test((rows.find((row) => (row as Row).content_id === id) as { text: string }).text);
  expect([...first.keys()]).toEqual(ids(0, 60).filter(decided));
  expect([...second.keys()]).toEqual(ids(30, 90).filter(decided));
  for (const id of ids(30, 60).filter(decided)) {
    const [a, b] = [first.get(id), second.get(id)];
    const { decision_id, committed_at, verdict } = a ?? {};
    expect(b).toMatchObject({ decision_id, committed_at, verdict });
    expect([a?.deduplicated, b?.deduplicated].filter(Boolean)).toHaveLength(1);
  }

  // A third run finds every decision there: nothing of it is called.
  const before = crew.numbers().reduce((sum, number) => sum + scene.classifier.asked(number), 0);
  const again = await scene.startOver(rows.filter((row) => decided((row as Row).content_id)));
  await scene.finish();
  expect(crew.numbers().reduce((sum, number) => sum + scene.classifier.asked(number), 0)).toBe(before);
  const third = await exported(again);
  expect([...third.values()].every((row) => row.deduplicated)).toBe(true);
  expect(third.size).toBe(ids(0, 90).filter(decided).length);
  await crew.stop();
  expect(await audit(scene.database.pool)).toEqual([]);
});

import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sha256Hex } from '../kernel/hash.ts';
import { exportRun } from './export-run.db.ts';
import { finishedRun } from './testing/finished-run.db.ts';
import { seedRun } from './testing/run.db.ts';
import { verifyBundle } from './verify.fs.ts';

const f = finishedRun();

test('a finished run becomes a sound bundle under its id, and its items exported', async () => {
  const bundle = await f.exported();
  expect(bundle).toMatchObject({
    rows: 15,
    exceptions: 1,
    supersedes: null,
    mended: false,
    path: path.join(f.out(), bundle.exportId),
  });
  expect(await verifyBundle(bundle.path, bundle)).toMatchObject({ ok: true, rows: 15, exceptions: 1 });
  expect(await readdir(f.out())).toEqual([bundle.exportId]);
  expect(sha256Hex(await readFile(path.join(bundle.path, 'manifest.json')))).toBe(bundle.manifestSha256);
  expect(await f.states()).toEqual({ exported: 15, failed_review: 1 });
  const { rows } = await f.pool.query(
    'SELECT state, row_count, exception_count, manifest_sha256 FROM export WHERE id = $1',
    [bundle.exportId],
  );
  expect(rows).toEqual([
    { state: 'published', row_count: 15, exception_count: 1, manifest_sha256: bundle.manifestSha256 },
  ]);
  const audit = await f.pool.query('SELECT kind FROM audit_event WHERE subject = $1 ORDER BY id', [
    `run:${f.run.runId}`,
  ]);
  expect(audit.rows.map((row) => row.kind)).toEqual(['export.started', 'export.published']);
});

test('a second export names the one it supersedes and leaves it as it was', async () => {
  const first = await f.exported();
  const second = await f.exported();
  expect(second.supersedes).toBe(first.exportId);
  expect((await verifyBundle(first.path, first)).ok).toBe(true);
  const manifest = JSON.parse(await readFile(path.join(second.path, 'manifest.json'), 'utf8'));
  expect(manifest.supersedes).toBe(first.exportId);
});

test('pending work refuses, says how much and why, and leaves nothing', async () => {
  const open = await seedRun(f.pool, [{ contentId: f.id('open'), end: 'pending' }], { name: f.named('open') });
  await f.pool.query("UPDATE run SET state = 'paused', pause_reason = 'operator' WHERE id = $1", [open.runId]);
  expect(await exportRun(f.pool, f.request({ run: open.name }))).toEqual({
    ok: false,
    refusal: 'pending_work',
    detail: { pending: 1, leased: 0, state: 'paused', pause_reason: 'operator' },
  });
  await expect(access(f.out())).rejects.toThrow();
});

test('an unknown run is refused', async () => {
  expect(await exportRun(f.pool, f.request({ run: 'no such run' }))).toEqual({
    ok: false,
    refusal: 'unknown_run',
  });
});

test('a decision that has vanished, or rows of another source, stop the export', async () => {
  await f.tamper('decision', 'DELETE FROM decision WHERE content_id = $1', [f.id('a')]);
  expect(await exportRun(f.pool, f.request())).toMatchObject({
    ok: false,
    refusal: 'does_not_reconcile',
    detail: { term: 'decisions', source: 'forum/a', expected: 14, counted: 13 },
  });
  expect(await f.states()).toEqual({ classified: 15, failed_review: 1 });
});

test('an item counted in another source than its content stops the export', async () => {
  await f.pool.query("UPDATE work_item SET source = 'forum/b' WHERE content_id = $1", [f.id('a')]);
  expect(await exportRun(f.pool, f.request())).toMatchObject({ ok: false, refusal: 'does_not_reconcile' });
});

test('rows that come out fewer than was counted stop the export', async () => {
  await f.tamper('revision', 'DELETE FROM revision WHERE content_id = $1', [f.id('lost')]);
  expect(await exportRun(f.pool, f.request())).toMatchObject({
    ok: false,
    refusal: 'totals_differ',
    detail: { what: 'revisions', expected: 16, found: 15 },
  });
  expect(await readdir(f.out())).toEqual([]);
});

test('a decision that was altered makes rows that no longer hold together, and nothing is published', async () => {
  await f.tamper('decision', "UPDATE decision SET input_sha256 = repeat('0', 64) WHERE content_id = $1", [f.id('a')]);
  expect(await exportRun(f.pool, f.request())).toMatchObject({
    ok: false,
    refusal: 'not_sound',
    detail: { problems: 1, code: 'bad_snapshot', file: 'manifest.json' },
  });
  expect(await readdir(f.out())).toEqual([]);
  const { rows } = await f.pool.query('SELECT state FROM export WHERE run_id = $1', [f.run.runId]);
  expect(rows).toEqual([{ state: 'abandoned' }]);
});

test('two exports of one run at once: one waits for nobody and is refused', async () => {
  let inside: (() => void) | undefined;
  const met = new Promise<void>((resolve) => {
    inside = resolve;
  });
  let letGo: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const first = f.exported({
    onStage: async ({ stage }) => {
      if (stage !== 'before_manifest') return;
      inside?.();
      await gate;
    },
  });
  await met;
  expect(await exportRun(f.pool, f.request())).toEqual({ ok: false, refusal: 'export_running' });
  letGo?.();
  expect((await verifyBundle((await first).path)).ok).toBe(true);
});

test('an aborted export leaves no folder and no claim to have published', async () => {
  const stop = new AbortController();
  const attempt = exportRun(
    f.pool,
    f.request({
      signal: stop.signal,
      onStage: ({ stage }) => {
        if (stage === 'before_manifest') stop.abort(new Error('stopped by hand'));
      },
    }),
  );
  await expect(attempt).rejects.toThrow('stopped by hand');
  expect(await readdir(f.out())).toEqual([]);
  expect((await f.exported()).mended).toBe(false);
});

test('an export aborted in the middle of its rows gives its connection and its lock back', async () => {
  for (let i = 0; i < 8; i++) {
    const stop = new AbortController();
    const attempt = exportRun(
      f.pool,
      f.request({
        signal: stop.signal,
        onStage: (stage) => {
          if (stage.stage === 'rows' && stage.written > 0) stop.abort(new Error('stopped by hand'));
        },
      }),
    );
    await expect(attempt).rejects.toThrow('stopped by hand');
  }
  expect(await readdir(f.out())).toEqual([]);
  expect((await f.exported()).mended).toBe(false);
});

test('a folder that cannot be written is an error of the disk, and the export is given up', async () => {
  await writeFile(path.join(f.root, f.named('file')), '');
  await expect(
    exportRun(f.pool, f.request({ outFolder: path.join(f.root, f.named('file'), 'x') })),
  ).rejects.toMatchObject({ code: 'ENOTDIR' });
  const { rows } = await f.pool.query('SELECT state FROM export WHERE run_id = $1', [f.run.runId]);
  expect(rows).toEqual([{ state: 'abandoned' }]);
});

test('a run requeued after the rename keeps its new items unexported until the next bundle holds them', async () => {
  const cut = exportRun(
    f.pool,
    f.request({
      onStage: async ({ stage }) => {
        if (stage !== 'renamed') return;
        await f.pool.query(
          "UPDATE work_item SET state = 'pending', failure_code = NULL, failed_at = NULL WHERE run_id = $1 AND state = 'failed_review'",
          [f.run.runId],
        );
        await f.pool.query(
          "UPDATE work_item SET state = 'classified', effect = 'none' WHERE run_id = $1 AND state = 'pending'",
          [f.run.runId],
        );
      },
    }),
  );
  expect((await cut).ok).toBe(true);
  expect(await f.states()).toEqual({ classified: 16 });
});

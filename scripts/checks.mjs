// The steps of `npm test` and `npm run check`, each with what it passed and failed.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './paths.mjs';
import { runForeground } from './processes.mjs';
import { NEXT_ENV, nextCommand } from './web-build.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */
/** @typedef {{ name: string, group: 'check' | 'unit' | 'db' | 'e2e', run: (out: string) => Promise<Counts> }} Step */

/** How a child tells that it was stopped from outside: SIGINT, SIGTERM. */
const STOPPED = [130, 143];

export class Interrupted extends Error {}

const require = createRequire(import.meta.url);

/** @param {string} name a package @param {string} [command] @returns {string} the file of its command */
function commandOf(name, command = name) {
  // Not through `exports`, which hides most commands.
  const home = path.join(ROOT, 'node_modules', name);
  const { bin } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8'));
  return path.join(home, typeof bin === 'string' ? bin : bin[command]);
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} [more] @returns {Promise<number>} */
async function node(args, more = {}) {
  const { FORCE_COLOR: _, ...env } = process.env;
  const colour = process.stdout.isTTY ? {} : { NO_COLOR: '1' };
  const code = await runForeground(args, { ...env, ...NEXT_ENV, ...colour, ...more });
  if (STOPPED.includes(code)) throw new Interrupted();
  return code;
}

/** @param {number} code @returns {Counts} */
const one = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/**
 * A run that ends badly without a failed test (a file that does not load, a server that does not start) is one failure.
 * @param {number} code @param {Counts} counts
 * @returns {Counts}
 */
const honest = (code, { passed, failed }) => ({ passed, failed: code !== 0 && failed === 0 ? 1 : failed });

/** @param {string} file @returns {any} */
const readJson = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {});

/** @param {'unit' | 'db'} project */
const vitest = (project) => async (/** @type {string} */ out) => {
  const file = path.join(out, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await node([commandOf('vitest'), 'run', '--project', project, ...reporters]);
  const { numPassedTests: passed = 0, numFailedTests = 0, testResults = [] } = readJson(file);
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = testResults;
  const broken = files.filter(
    (it) => it.status === 'failed' && it.assertionResults.every((test) => test.status !== 'failed'),
  );
  return honest(code, { passed, failed: numFailedTests + broken.length });
};

/** @param {string} out @returns {Promise<Counts>} */
async function playwright(out) {
  const { findBrowser } = await import('./browser.mjs');
  const file = path.join(out, 'e2e.json');
  const browser = await findBrowser({ log: (line) => console.error(line) });
  const code = await node([require.resolve('@playwright/test/cli'), 'test', '--reporter=list,json'], {
    CHROMIUM_PATH: browser,
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
  });
  const { expected = 0, flaky = 0, unexpected = 0 } = readJson(file).stats ?? {};
  return honest(code, { passed: expected + flaky, failed: unexpected });
}

/** @returns {Promise<Counts>} */
async function types() {
  const code = (await node([nextCommand(), 'typegen'])) || (await node([commandOf('typescript', 'tsc'), '--noEmit']));
  return one(code);
}

/** @type {Step[]} */
export const STEPS = [
  {
    name: 'formatting and lint',
    group: 'check',
    run: async () => one(await node([commandOf('@biomejs/biome', 'biome'), 'ci', '--max-diagnostics=30', '.'])),
  },
  { name: 'types', group: 'check', run: types },
  { name: 'unit and property tests', group: 'unit', run: vitest('unit') },
  { name: 'database tests', group: 'db', run: vitest('db') },
  { name: 'end-to-end tests', group: 'e2e', run: playwright },
];

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Runs the steps of some groups, says what runs and how long it took, and ends with the line `N passed, N failed`.
 * @param {Step['group'][]} groups
 * @returns {Promise<number>} the exit code: 1 if anything failed or nothing ran
 */
export async function runSteps(groups) {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'docket-test-'));
  const lines = [];
  let passed = 0;
  let failed = 0;
  try {
    for (const { name, group, run } of STEPS) {
      if (!groups.includes(group)) continue;
      console.log(`\n── ${name} ──`);
      const began = performance.now();
      const counts = await run(out).catch((error) => {
        if (error instanceof Interrupted) throw error;
        console.error(error.message);
        return { passed: 0, failed: 1 };
      });
      passed += counts.passed;
      failed += counts.failed;
      const took = seconds(performance.now() - began);
      lines.push(
        `${name.padEnd(26)} ${String(counts.passed).padStart(5)} passed ${String(counts.failed).padStart(4)} failed  ${took.padStart(9)}`,
      );
      console.log(lines.at(-1));
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    console.error('Stopped.');
    return 130;
  } finally {
    fs.rmSync(out, { recursive: true, force: true });
  }
  console.log(`\n── summary ──\n${lines.join('\n')}\n`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

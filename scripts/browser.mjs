// A Chromium for the end-to-end tests: the one that was named, one that is installed, Playwright's own, or the system's.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './paths.mjs';

const PROBE_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const PATHS = [
  '/usr/lib/chromium/chromium',
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) =>
    process.env[name] ? [path.join(process.env[name], 'Google/Chrome/Application/chrome.exe')] : [],
  ),
];
/** How each package manager installs a Chromium, and the fonts without which pages have no letters. */
const MANAGERS = [
  {
    command: 'apt-get',
    steps: [
      ['apt-get', 'update', '-q'],
      ['apt-get', 'install', '-q', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    ],
  },
  { command: 'dnf', steps: [['dnf', 'install', '-y', 'chromium', 'liberation-fonts']] },
  { command: 'apk', steps: [['apk', 'add', '--no-cache', 'chromium', 'ttf-liberation']] },
  { command: 'pacman', steps: [['pacman', '-Sy', '--noconfirm', 'chromium', 'ttf-liberation']] },
  { command: 'zypper', steps: [['zypper', '--non-interactive', 'install', 'chromium', 'liberation-fonts']] },
];

/** @param {string} name @returns {string | null} */
function inPath(name) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    if (folder && fs.existsSync(file)) return file;
  }
  return null;
}

/**
 * Whether a file is a browser that starts. A name in PATH may be a stub that only asks for another package.
 * @param {string} file
 */
function starts(file) {
  if (!fs.existsSync(file)) return false;
  if (process.platform === 'win32') return true; // chrome.exe --version opens a window there
  const asked = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: PROBE_TIMEOUT_MS });
  return asked.status === 0 && /\d+\.\d+/.test(asked.stdout);
}

/** @returns {string | null} */
function installed() {
  const found = [...NAMES.map(inPath), ...PATHS].filter((file) => file !== null);
  return found.find(starts) ?? null;
}

/** @returns {Promise<string | null>} where Playwright keeps its own, if it is there and starts */
async function playwrights() {
  const { chromium } = await import('@playwright/test');
  const file = chromium.executablePath();
  return file && starts(file) ? file : null;
}

function downloadPlaywrights() {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
  const ran = spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: DOWNLOAD_TIMEOUT_MS,
  });
  return ran.status === 0;
}

/** @param {(line: string) => void} log */
function installWithSystem(log) {
  const manager = MANAGERS.find(({ command }) => inPath(command));
  if (!manager || process.getuid?.() !== 0) return;
  log(`Installing Chromium with ${manager.command}…`);
  for (const [command = '', ...args] of manager.steps) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const ran = spawnSync(command, args, { encoding: 'utf8', env });
    if (ran.status !== 0)
      log(`${[command, ...args].join(' ')} failed:\n${(ran.stderr || ran.stdout || '').trim().slice(-1_000)}`);
  }
}

function advice() {
  const manager = MANAGERS.find(({ command }) => inPath(command));
  const ways = [
    ...(manager ? [`as root: ${manager.steps.map((step) => step.join(' ')).join(' && ')}`] : []),
    'npx playwright install --with-deps chromium',
    'install Google Chrome or Chromium by hand, and set CHROMIUM_PATH to its program if it lies in an unusual place',
  ];
  return `The end-to-end tests need a Chromium, and there is none that starts. One of these gives one:\n${ways.map((way) => `  - ${way}`).join('\n')}`;
}

/**
 * The program of a Chromium that starts, in this order: CHROMIUM_PATH, an installed one, Playwright's own (downloaded when
 * it is not there), the system's package manager when root. Throws, with exactly what to install, where none can be had.
 * @param {{ install?: boolean, log?: (line: string) => void }} [options] install: false only looks
 * @returns {Promise<string>}
 */
export async function findBrowser({ install = true, log = () => {} } = {}) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (starts(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which is not a browser that starts.`);
  }
  const found = installed() ?? (await playwrights());
  if (found) return found;
  if (install) {
    log('No Chromium here; trying the download of Playwright…');
    if (downloadPlaywrights()) {
      const downloaded = await playwrights();
      if (downloaded) return downloaded;
    }
    installWithSystem(log);
    const fresh = installed();
    if (fresh) return fresh;
  }
  throw new Error(advice());
}

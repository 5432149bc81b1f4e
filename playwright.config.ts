import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';
import { freePort } from './scripts/ports.mjs';

const KEEP_LOGS_MS = 24 * 60 * 60 * 1000;
const folders = path.join(import.meta.dirname, '.docket', 'e2e');

/** The first load of this file decides; the workers of Playwright load it again and inherit what it decided. */
async function decide(): Promise<string> {
  const known = process.env.E2E_PORT;
  if (known && process.env.E2E_DATA_DIR) return known;
  const port = known ?? String(await freePort());
  process.env.E2E_PORT = port;
  process.env.E2E_DATA_DIR = path.join(folders, port);
  process.env.CHROMIUM_PATH ||= await findBrowser({ install: false });
  mkdirSync(folders, { recursive: true });
  for (const name of readdirSync(folders, { withFileTypes: true }).map((entry) => path.join(folders, entry.name)))
    if (Date.now() - statSync(name).mtimeMs > KEEP_LOGS_MS) rmSync(name, { recursive: true, force: true });
  return port;
}

const port = await decide();
const { NO_COLOR: _, ...serverEnv } = process.env; // Playwright sets FORCE_COLOR, and Node warns about both
const asRoot = process.getuid?.() === 0; // Chromium's sandbox refuses root

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  workers: 1,
  retries: process.env.CI ? 2 : 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    baseURL: process.env.E2E_BASE_URL ?? `http://localhost:${port}`,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        ...['--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-sync'],
        ...['--disable-background-networking', '--disable-component-update'],
      ],
    },
  },
  projects: [{ name: 'chromium', use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } } }],
  webServer: process.env.E2E_BASE_URL
    ? undefined
    : {
        command: 'node scripts/e2e-server.mjs',
        url: `http://127.0.0.1:${port}/healthz`,
        env: { ...serverEnv, E2E_ENDS_WITH_INPUT: '1' } as Record<string, string>,
        timeout: 300_000,
        reuseExistingServer: false,
        gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
      },
});

import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const resolve = {
  alias: { '@': root, 'server-only': path.join(root, 'scripts/test/server-only.mjs') },
};
const elsewhere = ['**/node_modules/**', '**/.next/**', '**/.docket/**', 'e2e/**'];

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, '**/*.db.test.ts'],
          maxWorkers: 2,
          // Properties try hundreds of cases; on a busy machine that is no failure.
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'db',
          environment: 'node',
          include: ['**/*.db.test.ts'],
          exclude: elsewhere,
          globalSetup: ['scripts/test/global-setup.mjs'],
          pool: 'forks',
          maxWorkers: 2,
          // Races wait for locks and real processes start; on a busy machine with two cores that takes its time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

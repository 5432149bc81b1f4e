import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);

test('the WebAssembly schema engine is built from the commit that the Prisma CLI expects', () => {
  const folder = path.dirname(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const { version }: { version: string } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const ofPrisma = createRequire(require.resolve('@prisma/engines/package.json'));
  const { enginesVersion }: { enginesVersion: string } = ofPrisma('@prisma/engines-version');
  expect(enginesVersion).toMatch(/^[0-9a-f]{40}$/);
  expect(version.split('.').at(-1)).toBe(enginesVersion);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { breaches, FILE_LINES_MAX, FUNCTION_LINES_MAX, ROOMS, type SourceText } from './architecture.ts';
import { tableOwners } from './architecture-sql.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

function filesUnder(folder: string, ending: RegExp): SourceText[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ path: path.relative(ROOT, file).split(path.sep).join('/'), text: readFileSync(file, 'utf8') }));
}

const owners = tableOwners(filesUnder('prisma/migrations', /^migration\.sql$/).map((file) => file.text));

describe('the house stands as its law says', () => {
  let files: SourceText[] = [];
  beforeAll(() => {
    files = ['lib', 'app', 'worker'].flatMap((folder) => filesUnder(folder, /\.tsx?$/));
  });

  test('lib, app and worker keep the law', () => {
    expect(breaches(files, { owners })).toEqual([]);
  }, 60_000);

  test('all of it was read', () => {
    for (const folder of ['lib/kernel/', 'lib/content/import/', 'app/', 'worker/commands/']) {
      expect(files.some((file) => file.path.startsWith(folder))).toBe(true);
    }
    expect(files.length).toBeGreaterThan(150);
  });

  test('every table belongs to a room', () => {
    expect([...owners].filter(([, room]) => !ROOMS.some((one) => one === room))).toEqual([]);
    expect(owners.get('revision')).toBe('content');
    expect(owners.get('decision')).toBe('work');
  });

  test('the rooms in lib are those of the law', () => {
    const found = readdirSync(path.join(ROOT, 'lib'), { withFileTypes: true });
    const rooms = found.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(rooms.filter((room) => !ROOMS.some((one) => one === room))).toEqual([]);
  });
});

describe('lib/README.md tells the truth', () => {
  const readme = readFileSync(path.join(ROOT, 'lib/README.md'), 'utf8');

  test('every file that it names is there', () => {
    const named = [...readme.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|md))`/g)].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter((file) => !existsSync(path.join(ROOT, file.startsWith('docs/') ? '' : 'lib', file)));
    expect(missing).toEqual([]);
  });

  test('it gives every table to the room that owns it, in the order of the rooms', () => {
    const rows = [...readme.matchAll(/^\| (\w+) \| [^|]+ \|([^|]*)\|$/gm)].filter(([, room]) => room !== 'room');
    const given = rows.flatMap(([, room, tables]) =>
      (tables ?? '').split(',').flatMap((table) => (table.trim() === '' ? [] : [`${table.trim()} ${room}`])),
    );
    expect(given.sort()).toEqual([...owners].map(([table, room]) => `${table} ${room}`).sort());
    const rooms = rows.map(([, room]) => room);
    expect(rooms).toEqual(ROOMS.filter((room) => rooms.includes(room)));
  });
});

describe('a breach is found', () => {
  test.each<[string, string, string, string]>([
    ['a room to the right', 'lib/content/a.ts', `import { x } from '../work/b.ts';`, 'room content imports from work'],
    [
      'a type from the right',
      'lib/content/a.ts',
      `import type { X } from '../work/b.ts';`,
      'room content imports from work',
    ],
    [
      'a late import from the right',
      'lib/content/a.db.ts',
      `await import('../work/b.ts');`,
      'room content imports from work',
    ],
    ['no room', 'lib/helpers/a.ts', '', 'is in no room'],
    ['no room at all', 'lib/a.ts', '', 'is in no room'],
    ['a bucket', 'lib/kernel/utils.ts', '', '"utils" says nothing'],
    ['an index', 'lib/kernel/index.ts', '', '"index" says nothing'],
    ['a barrel', 'lib/kernel/a.ts', `export * from './b.ts';`, 'a barrel'],
    ['a barrel of some', 'lib/kernel/a.ts', `export { b } from './b.ts';`, 'a barrel'],
    ['no ending', 'lib/kernel/a.ts', `import { b } from './b';`, 'without its ending'],
    ['the alias in lib', 'lib/work/a.ts', `import { b } from '@/lib/kernel/b.ts';`, 'only app/ uses @/'],
    ['lib on worker', 'lib/work/a.ts', `import { b } from '../../worker/b.ts';`, 'imports worker/b.ts'],
    ['app on worker', 'app/a.tsx', `import { b } from '@/worker/b.ts';`, 'imports worker/b.ts'],
    ['worker on app', 'worker/a.ts', `import { b } from '../app/b.ts';`, 'imports app/b.ts'],
    [
      'the generated client',
      'lib/work/a.db.ts',
      `import { C } from '../../prisma/generated/client.ts';`,
      'imports prisma/generated',
    ],
    ['test code', 'lib/work/a.db.ts', `import { b } from '../db/testing.db.ts';`, 'which is for tests'],
    ['pure on database', 'lib/work/a.ts', `import { b } from './b.db.ts';`, 'is pure and imports lib/work/b.db.ts'],
    [
      'pure on disk',
      'lib/work/a.ts',
      `import { readFile } from 'node:fs/promises';`,
      'is pure and imports node:fs/promises',
    ],
    ['pure on PostgreSQL', 'lib/work/a.ts', `import pg from 'pg';`, 'is pure and imports pg'],
    ['pure on chance', 'lib/work/a.ts', `import { randomUUID } from 'node:crypto';`, 'is pure and imports node:crypto'],
    ['all of crypto', 'lib/work/a.ts', `import * as c from 'node:crypto';`, 'is pure and imports node:crypto'],
    ['chance', 'lib/work/a.ts', 'export const x = Math.random();', 'uses Math.random'],
    ['the clock', 'lib/work/a.ts', 'export const x = Date.now();', 'uses Date.now('],
    ['the clock again', 'lib/work/a.ts', 'export const x = new Date();', 'uses new Date()'],
    ['a timer', 'lib/work/a.ts', 'setTimeout(() => {}, 1);', 'uses setTimeout('],
    ['the environment', 'lib/work/a.db.ts', 'export const x = process.env.HOME;', 'reads the environment'],
    ['statements on database', 'lib/work/a.sql.ts', `import { b } from './b.db.ts';`, 'holds statements and imports'],
    ['network on database', 'lib/work/a.http.ts', `import { b } from './b.db.ts';`, 'is no .db.ts and imports'],
    ['disk on PostgreSQL', 'lib/work/a.fs.ts', `import pg from 'pg';`, 'is no .db.ts and imports pg'],
    [
      'a foreign insert',
      'lib/review/a.sql.ts',
      `export const A = 'INSERT INTO decision (x) VALUES (1)';`,
      'writes decision of work',
    ],
    [
      'a foreign update',
      'lib/review/a.sql.ts',
      'export const A = `WITH x AS (UPDATE work_item AS w SET state = 1) SELECT 1`;',
      'writes work_item of work',
    ],
    [
      'a foreign delete',
      'lib/review/a.sql.ts',
      `export const A = 'DELETE FROM revision WHERE true';`,
      'writes revision of content',
    ],
    [
      'a foreign copy',
      'lib/review/a.sql.ts',
      `export const A = 'COPY revision (a, b) FROM STDIN';`,
      'writes revision of content',
    ],
    [
      'a table nobody owns',
      'lib/review/a.sql.ts',
      `export const A = 'INSERT INTO elsewhere VALUES (1)';`,
      'writes elsewhere of nobody',
    ],
    [
      'a table put in',
      'lib/review/a.sql.ts',
      `export const A = (t: string) => \`DELETE FROM \${t}\`;`,
      'a table that is put in',
    ],
    [
      'a statement in an act',
      'lib/work/a.db.ts',
      `await tx.query('UPDATE run SET state = 1');`,
      'holds a statement: UPDATE run',
    ],
    [
      'a read in an act',
      'lib/work/a.db.ts',
      `await tx.query(\`\n  SELECT 1 FROM \${run}\`);`,
      'holds a statement: SELECT 1',
    ],
    ['a statement in a page', 'app/page.tsx', `await pool.query('SELECT 1');`, 'holds a statement: SELECT 1'],
    [
      'a statement in a command',
      'worker/commands/a.ts',
      `await pool.query('DELETE FROM run');`,
      'holds a statement: DELETE FROM',
    ],
    [
      'a write through Prisma',
      'lib/work/a.db.ts',
      'await prisma.workItem.updateMany({});',
      'writes workItem through Prisma',
    ],
    ['a write by a page', 'app/page.tsx', 'await prisma.run.create({});', 'writes run through Prisma'],
    [
      'a raw statement',
      'app/page.tsx',
      'await prisma.$executeRaw`x`; await prisma.$queryRawUnsafe(x);',
      'calls $queryRawUnsafe',
    ],
    ['a long file', 'lib/work/a.ts', '\n'.repeat(FILE_LINES_MAX + 1), `has ${FILE_LINES_MAX + 1} lines`],
    [
      'a long function',
      'lib/work/a.ts',
      `export function f() {${'\n'.repeat(FUNCTION_LINES_MAX)}}`,
      'has a function of',
    ],
  ])('%s', (_, file, text, expected) => {
    const found = breaches([{ path: file, text }], { owners });
    expect(found).toEqual([expect.stringContaining(expected)]);
    expect(found[0]).toMatch(new RegExp(`^${file.replace(/[.]/g, '\\.')}: `));
  });

  test('a circle is found, one of types is none', () => {
    const circle = (line: string): SourceText[] => [
      { path: 'lib/work/a.ts', text: `import { b } from './b.ts';` },
      { path: 'lib/work/b.ts', text: line },
    ];
    expect(breaches(circle(`import { a } from './a.ts';`), { owners })).toEqual([
      'lib/work/a.ts: imports itself by way of lib/work/b.ts',
    ]);
    expect(breaches(circle(`import type { A } from './a.ts';`), { owners })).toEqual([]);
  });
});

test.each<[string, string, string]>([
  ['a room to the left', 'lib/work/a.db.ts', `import { b } from '../content/b.db.ts';`],
  [
    'its own table',
    'lib/work/a.sql.ts',
    `export const A = 'INSERT INTO decision AS d (x) VALUES (1) ON CONFLICT DO UPDATE SET x = 1';`,
  ],
  [
    'reading and locking any table',
    'lib/work/a.sql.ts',
    `export const A = 'SELECT 1 FROM revision r FOR UPDATE OF r';`,
  ],
  [
    'a temporary table',
    'lib/work/a.sql.ts',
    `export const A = 'CREATE TEMP TABLE mine (x int); INSERT INTO mine VALUES (1)';`,
  ],
  ['hashing', 'lib/work/a.ts', `import { createHash } from 'node:crypto'; createHash('x').update('y');`],
  ['a given time', 'lib/work/a.ts', 'export const x = new Date(0);'],
  [
    'words that look like statements',
    'app/page.tsx',
    `const a = 'Select a case from the list'; const b = 'update available'; const c = 'Delete from here';`,
  ],
  ['talk about the clock', 'lib/work/a.ts', '// never Date.now() here\n/** nor Math.random */'],
  [
    'types of what is not pure',
    'lib/work/a.ts',
    `import type { Tx } from '../db/pool.db.ts'; import { type Y } from './y.db.ts';`,
  ],
  [
    'a test',
    'lib/kernel/a.test.ts',
    `import { b } from '../work/b.db.ts'; await pool.query('DELETE FROM run'); Date.now();`,
  ],
])('%s is allowed', (_, file, text) => {
  expect(breaches([{ path: file, text }], { owners })).toEqual([]);
});

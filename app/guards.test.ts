import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Every way into the desk asks for a right itself. These tests read the sources, so that a new one cannot be forgotten. */

const APP = import.meta.dirname;
const FILES = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const source = (file: string) => readFileSync(path.join(APP, file), 'utf8');

/** Pages for whoever comes: signing in, and the way to one's own start page. */
const OPEN_PAGES = ['signin/page.tsx'];
/** Answers that tell nothing about anyone, and the library's own routes, which bring their own checks. */
const OPEN_ROUTES = ['healthz/route.ts', 'readyz/route.ts', 'api/auth/[...nextauth]/route.ts'];

const ways = (name: string) => FILES.filter((file) => path.basename(file) === name && !file.startsWith('_'));

/** The page and what it is made of in its own folder or the one above. */
function withParts(page: string): string {
  const parts = [...source(page).matchAll(/from '(\.{1,2}\/[\w-]+\.tsx?)'/g)].map((match) => match[1] ?? '');
  return [page, ...parts.map((part) => path.join(path.dirname(page), part))].map(source).join('\n');
}

test('every page asks for its right in its first lines, and none leaves it to a layout or the proxy', () => {
  const pages = ways('page.tsx');
  expect(pages.length).toBeGreaterThan(10);
  const unguarded = pages.filter((page) => !withParts(page).includes('await requireRight('));
  expect(unguarded).toEqual(OPEN_PAGES);
});

test('every route is wrapped: changes by actRoute under POST, reads by viewRoute under GET', () => {
  const routes = ways('route.ts');
  expect(routes.length).toBeGreaterThan(20);
  const wrapped = /^export const (POST = actRoute|GET = viewRoute)\(/;
  const bare = routes.filter((route) => {
    const exported = source(route)
      .split('\n')
      .filter((line) => line.startsWith('export ') && !line.startsWith('export const dynamic ='));
    return exported.length !== 1 || !wrapped.test(exported[0] ?? '');
  });
  expect(bare.toSorted()).toEqual(OPEN_ROUTES.toSorted());
});

test('there are no server actions, whose exports would be open to the world', () => {
  const files = FILES.filter((file) => !file.endsWith('.test.ts') && /['"]use server['"]/.test(source(file)));
  expect(files).toEqual([]);
});

test('no words are ever put on a page as markup', () => {
  const markup = /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write/;
  const files = FILES.filter((file) => !file.endsWith('.test.ts') && markup.test(source(file)));
  expect(files).toEqual([]);
});

test('only the server folder reads the environment', () => {
  const files = FILES.filter((file) => !file.endsWith('.test.ts') && source(file).includes('process.env'));
  expect(files).toEqual(['_server/env.ts']);
});

import path from 'node:path';
import ts from 'typescript';
import { statementBreaches, walk } from './architecture-sql.ts';

/** The law of this repository, read from its own text: see README.md beside this file. For its test only. */

export const ROOMS = [
  'kernel',
  'db',
  'audit',
  'access',
  'outbox',
  'content',
  'policy',
  'classifier',
  'enforcement',
  'review',
  'work',
  'comments',
  'exports',
  'quality',
  'monitoring',
  'retention',
] as const;

/** Lines of a file, and of a function, at most. */
export const FILE_LINES_MAX = 320;
export const FUNCTION_LINES_MAX = 80;

/** Packages that compute and touch nothing. */
const PURE_PACKAGES = new Set([
  'canonicalize',
  'csv-parse',
  'zod',
  'node:buffer',
  'node:path',
  'node:url',
  'node:util',
]);
const PURE_STREAMS = new Set(['node:stream', 'node:stream/promises']);
/** Of node:crypto a pure file takes what gives the same answer every time. */
const PURE_CRYPTO = new Set(['createHash', 'createHmac', 'hash', 'scrypt', 'timingSafeEqual']);
const IMPURE_WORDS =
  /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.now\b|\bcrypto\.(?:randomUUID|getRandomValues)\b|\bset(?:Timeout|Interval|Immediate)\(|\bfetch\(|\bconsole\./;
const BUCKETS = /^(?:index|utils?|common|helpers?|misc|types)$/;
export type SourceText = {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
};

export type Law = {
  /** The room that owns each table. */
  readonly owners: ReadonlyMap<string, string>;
};

type Import = {
  readonly specifier: string;
  readonly target: string | null;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
};
type Parsed = {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
  readonly imports: readonly Import[];
};

/** @returns every breach as `path: what`, sorted. */
export function breaches(files: readonly SourceText[], law: Law): string[] {
  const parsed = files.map(parse);
  const found = parsed.flatMap((file) => {
    const code = isTest(file.path)
      ? []
      : [...fileShape(file), ...imports(file), ...effects(file), ...statements(file, law)];
    return [...place(file), ...code].map((what) => `${file.path}: ${what}`);
  });
  return [...found, ...circles(parsed)].sort();
}

/** Tests and what only tests use may cross the order of the rooms, keep statements and read the clock. */
function isTest(file: string): boolean {
  return (
    /\.test\.tsx?$/.test(file) ||
    /(?:^|\/)(?:testing|e2e)\//.test(file) ||
    /(?:^|\/)(?:testing|fake)(?:\.db)?\.ts$/.test(file) ||
    file.startsWith('lib/architecture')
  );
}

function roomOf(file: string): string | null {
  return /^lib\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function effectOf(file: string): 'pure' | 'sql' | 'db' | 'http' | 'fs' {
  const ending = /\.(sql|db|http|fs)\.ts$/.exec(file)?.[1];
  return (ending as 'sql' | 'db' | 'http' | 'fs' | undefined) ?? 'pure';
}

function parse({ path: file, text }: SourceText): Parsed {
  const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, kind);
  const found: Import[] = [];
  walk(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.push(importOf(file, (node.moduleSpecifier as ts.StringLiteral).text, isTypeOnly(node), namesOf(node)));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier && ts.isStringLiteralLike(specifier)) found.push(importOf(file, specifier.text, false, []));
    }
  });
  return { path: file, text, tree, imports: found };
}

function importOf(file: string, specifier: string, typeOnly: boolean, names: readonly string[]): Import {
  const own = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : null;
  const target = own ?? (specifier.startsWith('@/') ? specifier.slice(2) : null);
  return { specifier, target, typeOnly, names };
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return (
    !clause.name &&
    !!named &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((one) => one.isTypeOnly)
  );
}

function namesOf(node: ts.ImportDeclaration | ts.ExportDeclaration): string[] {
  const named = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
  if (!named) return ['*'];
  return ts.isNamedImports(named)
    ? named.elements.filter((one) => !one.isTypeOnly).map((one) => (one.propertyName ?? one.name).text)
    : ['*'];
}

function place({ path: file }: Parsed): string[] {
  if (!file.startsWith('lib/') || file.startsWith('lib/architecture')) return [];
  const room = roomOf(file);
  const stem = path.posix.basename(file).split('.', 1)[0] ?? '';
  return [
    ...(room === null || !ROOMS.some((one) => one === room) ? ['is in no room'] : []),
    ...(BUCKETS.test(stem) ? [`"${stem}" says nothing about what is in it`] : []),
  ];
}

function fileShape({ path: file, text, tree }: Parsed): string[] {
  const found: string[] = [];
  const lines = text.split('\n').length - 1;
  if (lines > FILE_LINES_MAX) found.push(`has ${lines} lines`);
  walk(tree, (node) => {
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.isTypeOnly)
      found.push('passes on what another file exports (a barrel)');
    if (!file.startsWith('app/') && ts.isFunctionLike(node) && 'body' in node && node.body) {
      const length = lineOf(tree, node.end) - lineOf(tree, node.getStart(tree)) + 1;
      if (length > FUNCTION_LINES_MAX) found.push(`has a function of ${length} lines`);
    }
  });
  return found;
}

function lineOf(tree: ts.SourceFile, at: number): number {
  return tree.getLineAndCharacterOfPosition(at).line;
}

/** Law 1 and 4: the order of the rooms; app and worker compose lib and not each other. */
function imports({ path: file, imports: all }: Parsed): string[] {
  const found: string[] = [];
  const top = file.split('/', 1)[0] ?? '';
  const allowed: Record<string, readonly string[]> = {
    lib: ['lib'],
    app: ['app', 'lib'],
    worker: ['worker', 'lib', 'package.json'],
  };
  for (const { specifier, target } of all) {
    if (target === null) continue;
    const to = target.split('/', 1)[0] ?? '';
    const client = target.startsWith('prisma/generated/') && file === 'lib/db/prisma.db.ts';
    if (!client && !allowed[top]?.includes(to)) found.push(`imports ${target}`);
    if (top !== 'app' && specifier.startsWith('@/')) found.push(`imports ${specifier}: only app/ uses @/`);
    if (!/\.(?:tsx?|json|css|svg)$/.test(target)) found.push(`imports ${specifier} without its ending`);
    if (isTest(target)) found.push(`imports ${target}, which is for tests`);
    const [own, other] = [roomOf(file), roomOf(target)];
    if (own && other && rank(other) > rank(own))
      found.push(`room ${own} imports from ${other}, which stands to its right`);
  }
  return found;
}

function rank(room: string): number {
  return (ROOMS as readonly string[]).indexOf(room);
}

/** Law 2: the ending says the effect. */
function effects({ path: file, text, imports: all }: Parsed): string[] {
  if (!file.startsWith('lib/')) return [];
  const found: string[] = [];
  const code = withoutComments(text);
  if (/\bprocess\.env\b/.test(code)) found.push('reads the environment');
  const effect = effectOf(file);
  for (const { specifier, target, typeOnly, names } of all) {
    if (typeOnly) continue;
    if (target !== null) {
      const other = effectOf(target);
      if (effect === 'pure' && other !== 'pure') found.push(`is pure and imports ${target}`);
      if (effect === 'sql' && other !== 'sql' && other !== 'pure') found.push(`holds statements and imports ${target}`);
      if ((effect === 'http' || effect === 'fs') && other === 'db') found.push(`is no .db.ts and imports ${target}`);
    } else if (effect === 'pure' && !isPurePackage(specifier, names)) found.push(`is pure and imports ${specifier}`);
    else if (effect === 'sql') found.push(`holds statements and imports ${specifier}`);
    else if (/^(?:pg|pg-.*|@prisma\/.*)$/.test(specifier) && effect !== 'db')
      found.push(`is no .db.ts and imports ${specifier}`);
  }
  const word = effect === 'pure' || effect === 'sql' ? IMPURE_WORDS.exec(code)?.[0] : undefined;
  if (word) found.push(`is pure and uses ${word}`);
  return found;
}

function isPurePackage(specifier: string, names: readonly string[]): boolean {
  if (specifier === 'node:crypto') return names.every((name) => PURE_CRYPTO.has(name));
  return PURE_PACKAGES.has(specifier) || PURE_STREAMS.has(specifier);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

/** Law 3: statements live in .sql.ts, and a room writes only its own tables. */
function statements({ path: file, tree }: Parsed, { owners }: Law): string[] {
  return statementBreaches(tree, effectOf(file) === 'sql' ? roomOf(file) : null, owners);
}

/** No circles among what runs; a type may look back. */
function circles(files: readonly Parsed[]): string[] {
  const known = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: Parsed, trail: readonly string[]): void => {
    const at = trail.indexOf(file.path);
    if (at >= 0) found.push(`${file.path}: imports itself by way of ${trail.slice(at + 1).join(', ')}`);
    if (at >= 0 || done.has(file.path)) return;
    for (const { target, typeOnly } of file.imports) {
      const next = target === null || typeOnly ? undefined : known.get(target);
      if (next) visit(next, [...trail, file.path]);
    }
    done.add(file.path);
  };
  for (const file of files) visit(file, []);
  return found;
}

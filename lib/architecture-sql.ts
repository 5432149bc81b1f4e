import ts from 'typescript';

const SQL_START =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\w+(?:\s+(?:AS\s+)?\w+)?\s+SET\s|DELETE\s+FROM\s|MERGE\s+INTO\s|WITH\s+\w+\s+AS\s*\(|COPY\s+[\w(]|CREATE\s+(?:TABLE|TEMP|INDEX|UNIQUE)|ALTER\s+TABLE|DROP\s+TABLE|TRUNCATE\s|LOCK\s+TABLE|SET\s+(?:LOCAL|SESSION)\s)/;
/** In small letters only what prose would not say. */
const SQL_START_LOWER =
  /^\s*(?:insert\s+into\s+\w+\s*\(|delete\s+from\s+\w+\s*(?:where\s|$)|update\s+\w+\s+set\s+\w+\s*=|select\s[\s\S]+\sfrom\s+\w+\s+(?:where|join|order|limit)\s)/;
const SQL_WRITES = [
  /\b(?:INSERT|MERGE)\s+INTO\s+([a-z_\0]+)/gi,
  /\bUPDATE\s+(?:ONLY\s+)?([a-z_\0]+)(?:\s+(?:AS\s+)?[a-z_]+)?\s+SET\b/gi,
  /\bDELETE\s+FROM\s+(?:ONLY\s+)?([a-z_\0]+)/gi,
  /\bCOPY\s+([a-z_\0]+)\s*(?:\([^)]*\)\s*)?FROM\b/gi,
  /\bTRUNCATE\s+(?:TABLE\s+)?([a-z_\0]+)/gi,
];
const PRISMA_WRITES = new Set([
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'delete',
  'deleteMany',
]);
const PRISMA_RAW = /^\$(?:executeRaw|executeRawUnsafe|queryRaw|queryRawUnsafe)$/;

/** @returns the owner of each table, as the sections of the migrations say: a line `-- ── room ──` and the tables below. */
export function tableOwners(migrations: readonly string[]): Map<string, string> {
  const owners = new Map<string, string>();
  for (const text of migrations) {
    let room = '';
    for (const line of text.split('\n')) {
      room = /^-- ── (\w+) ─/.exec(line)?.[1] ?? room;
      const table = /^CREATE TABLE (\w+)/.exec(line)?.[1];
      if (table) owners.set(table, room);
    }
  }
  return owners;
}

/** Visits a node and everything under it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * Law 3: statements live in .sql.ts, and a room writes only its own tables.
 * @param room whose statements this file holds; null where it is no .sql.ts and may hold none.
 * @returns what is wrong.
 */
export function statementBreaches(
  tree: ts.SourceFile,
  room: string | null,
  owners: ReadonlyMap<string, string>,
): string[] {
  const found: string[] = [];
  const models = new Set(
    [...owners.keys()].map((table) => table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())),
  );
  walk(tree, (node) => {
    const text = textOf(node);
    if (text !== null && room !== null) found.push(...foreignWrites(text, room, owners));
    else if (text !== null && (SQL_START.test(text) || SQL_START_LOWER.test(text)))
      found.push(`holds a statement: ${text.trim().split(/\s+/, 2).join(' ')}`);
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { name, expression } = node.expression;
    if (PRISMA_RAW.test(name.text)) found.push(`calls ${name.text}`);
    if (PRISMA_WRITES.has(name.text) && ts.isPropertyAccessExpression(expression) && models.has(expression.name.text)) {
      found.push(`writes ${expression.name.text} through Prisma`);
    }
  });
  return found;
}

/** @returns the text of a literal, with NUL where something is put in; null for any other node. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map((span) => `\0${span.literal.text}`).join('');
}

function foreignWrites(statement: string, room: string | null, owners: ReadonlyMap<string, string>): string[] {
  const own = new Set([...statement.matchAll(/\bCREATE TEMP TABLE (\w+)/gi)].map((match) => match[1]));
  return SQL_WRITES.flatMap((pattern) => [...statement.matchAll(pattern)])
    .map((match) => match[1] ?? '')
    .filter((table) => !own.has(table) && !table.startsWith('import_') && owners.get(table) !== room)
    .map((table) =>
      table.includes('\0') ? 'writes a table that is put in' : `writes ${table} of ${owners.get(table) ?? 'nobody'}`,
    );
}

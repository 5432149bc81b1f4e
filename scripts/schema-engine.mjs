#!/usr/bin/env node
// Prisma's schema engine without its native binary. The Prisma CLI starts the executable named in
// PRISMA_SCHEMA_ENGINE_BINARY and talks JSON-RPC with it, one line a message, over standard input and output. This one
// answers with the very same engine, built to WebAssembly (@prisma/schema-engine-wasm), over the `pg` driver.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { parseArgs } from 'node:util';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg';
import { createDatabase, ping, WholeScriptAdapter } from './schema-engine-adapter.mjs';

const ENGINE_ERROR = 4466; // the code that the native engine uses for every failure
const FIRST_PRINT_ID = 1_000_000; // our own requests to the CLI must not collide with the numbers of its requests

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { datasource: { type: 'string' }, datamodels: { type: 'string', multiple: true } },
});
/** @type {{ url: string, shadowDatabaseUrl?: string }} */
const datasource = { url: '', ...JSON.parse(String(values.datasource ?? '{}')) };

/** @param {'INFO' | 'ERROR'} level @param {Record<string, unknown>} fields */
const report = (level, fields) =>
  process.stderr.write(
    `${JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' })}\n`,
  );

/** The `cli` mode: one question, answered by the exit code and one line. */
async function answerOnce() {
  report('INFO', { message: 'Starting schema engine CLI' }); // the caller drops the first line
  try {
    await (positionals[1] === 'create-database' ? createDatabase(datasource.url) : ping(datasource.url));
    return 0;
  } catch (error) {
    const known = { '3D000': 'P1003', '28P01': 'P1000', '42P04': 'P1009', ECONNREFUSED: 'P1001' };
    const error_code = known[/** @type {keyof typeof known} */ (error.code)] ?? 'P1011';
    report('ERROR', { message: `The database cannot be used: ${error.message}`, is_panic: false, error_code });
    return 1;
  }
}

async function loadEngine() {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const bytes = readFileSync(path.join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  // `migrate diff` brings its own schemas: an empty list here would end the engine, and the CLI would take that for "no
  // difference".
  const models = /** @type {string[] | undefined} */ (values.datamodels);
  return glue.SchemaEngine.new(
    { datamodels: models?.map((file) => [file, readFileSync(file, 'utf8')]) },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new WholeScriptAdapter(datasource)),
  );
}

/** @param {Record<string, unknown>} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

let engine;
let printed = 0;

/** @param {{ method: string, params?: any }} request */
async function handle({ method, params }) {
  if (method === 'createDatabase') return createDatabase(params?.datasource?.url ?? datasource.url);
  if (method === 'ensureConnectionValidity') return ping(datasource.url);
  engine ??= await loadEngine();
  if (method === 'getDatabaseVersion') return engine.version(params ?? null);
  const result = await engine[method](params ?? {});
  if (method === 'diff' && typeof result?.stdout === 'string')
    send({ id: FIRST_PRINT_ID + printed++, method: 'print', params: { content: result.stdout } });
  return result ?? null;
}

/** @param {any} error */
const failure = (error) => ({
  code: ENGINE_ERROR,
  message: 'An error happened. Check the data field for details.',
  data: {
    is_panic: false,
    message: error?.message ?? String(error),
    meta: error?.meta ?? null,
    error_code: error?.code ?? null,
  },
});

function serve() {
  let queue = Promise.resolve();
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (!method) return; // the CLI's answer to our `print`
    queue = queue.then(() =>
      handle({ method, params }).then(
        (result) => send({ id, result }),
        (error) => send({ id, error: failure(error) }),
      ),
    );
  });
  lines.on('close', () => queue.finally(() => process.exit(0)));
}

if (process.argv.includes('--version')) console.log('schema-engine-wasm');
else if (positionals[0] === 'cli') process.exitCode = await answerOnce();
else serve();

// `npm run start`: the web application in production, nothing else. It never is a demo.
import { ensureInstalled } from './install.mjs';
import { runForeground } from './processes.mjs';
import { hasBuild, NEXT_ENV, nextCommand } from './web-build.mjs';

const NEEDED = {
  DATABASE_URL: 'postgresql://… of a PostgreSQL 15 or later',
  NEXTAUTH_SECRET: 'a long random string, kept: changing it signs everybody out',
  NEXTAUTH_URL: 'the address that people open, as https://docket.example.com',
};

/** @param {string} line */
function refuse(line) {
  console.error(line);
  return 2;
}

async function main() {
  const missing = Object.entries(NEEDED).filter(([name]) => !process.env[name]);
  if (missing.length > 0)
    return refuse(['To start in production, set:', ...missing.map(([name, what]) => `  ${name}  ${what}`)].join('\n'));
  await ensureInstalled({ omitDev: true });
  if (!hasBuild()) return refuse('There is no build yet. Run: npm run build');
  const { DOCKET_DEMO: _, ...env } = process.env;
  const address = ['-p', process.env.PORT ?? '3000', '-H', process.env.HOST ?? '0.0.0.0'];
  return runForeground([nextCommand(), 'start', ...address], { ...env, ...NEXT_ENV, NODE_ENV: 'production' });
}

process.exitCode = await main().catch((error) => refuse(error.message));

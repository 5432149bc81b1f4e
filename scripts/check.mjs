// `npm run check`: what a change must pass before it is shown to others; everything but the browser.
import { ensureInstalled } from './install.mjs';

async function main() {
  await ensureInstalled();
  const { runSteps } = await import('./checks.mjs');
  return runSteps(['check', 'unit', 'db']);
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return 1;
});

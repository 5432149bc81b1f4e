// `npm run build`: the web application for production.
import { ensureInstalled } from './install.mjs';
import { runForeground } from './processes.mjs';
import { ensureBuilt } from './web-build.mjs';

try {
  await ensureInstalled();
  await ensureBuilt(
    async (args, env) => {
      const code = await runForeground(args, env);
      if (code !== 0) throw new Error(`The build failed (exit ${code}).`);
    },
    { force: true, log: (line) => console.error(line) },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

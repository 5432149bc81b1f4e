// `npm run dev`: the demo on Next's development server, with its words in the terminal.
import { runDesk } from './demo-stage.mjs';

await runDesk('dev', ({ port }) => {
  console.log(`\nDocket in development: http://localhost:${port}  (accounts as in the demo, password docket-demo)\n`);
});

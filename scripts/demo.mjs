// `npm run demo`: from a fresh clone to a running desk with accounts and a small corpus. Ctrl-C ends all of it; starting
// again goes on with the same data.
import { runDesk } from './demo-stage.mjs';
import { shown } from './paths.mjs';

await runDesk('start', ({ port, logs }) => {
  const address = process.env.NEXTAUTH_URL ?? `http://localhost:${port}`;
  console.log(`
  Docket is running:  ${address}

  Accounts (password docket-demo)
    reviewer@docket.example    the queues and cases
    reviewer2@docket.example   a second reviewer
    moderator@docket.example   approvals and escalated cases
    manager@docket.example     runs, quality, operations
    owner@docket.example       reversals

  What to look at first
    1. Sign in as reviewer@docket.example and open the first case of the queue.
       Allow or restrict it: a key is enough, and six seconds are left to take it back.
    2. Sign in as moderator@docket.example and approve what was proposed.
    3. Open the content's timeline: every step is there, and owner@docket.example can go back.

  Logs: ${shown(logs)}      Ctrl-C stops everything; your data stay.
`);
});

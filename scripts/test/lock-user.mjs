// A process that takes a lock, for tests: `node lock-user.mjs LOCK COUNTER ROUNDS` adds 1 to the number in COUNTER so many
// times, each time reading and writing in two steps. With ROUNDS = `hold` it takes the lock, says so and keeps it.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from '../lock.mjs';

const [lock = '', counter = '', rounds = '0'] = process.argv.slice(2);
if (rounds === 'hold')
  await withLock(lock, async () => {
    console.log('held');
    await sleep(600_000);
  });
for (let round = 0; round < Number(rounds); round++)
  await withLock(lock, async () => {
    const seen = Number(readFileSync(counter, 'utf8'));
    await sleep(1);
    writeFileSync(counter, String(seen + 1));
  });

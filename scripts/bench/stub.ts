import { createServer, type Socket } from 'node:net';
import { LABELS, MODEL, NONCE_LENGTH } from './chat.ts';

// A chat-completions service that costs as little as possible, so that whoever calls it is what is measured. It reads no
// more of HTTP than its callers here send: keep-alive requests with a content-length. `/after-20/…` answers after 20 ms.
// About one answer in 25 asks for a review; which one hangs on the nonce alone.

const HEAD_END = Buffer.from('\r\n\r\n');
const NONCE = Buffer.from('\\"nonce\\":\\"');
const REVIEWS_OF_256 = 10;

const completion = (score: number): [string, string] => {
  const labels = Object.fromEntries(LABELS.map((name, at) => [name, at === 0 ? score : 0.01]));
  const content = JSON.stringify({ nonce: '@', labels });
  const body = JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_796_000_000,
    model: MODEL,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { prompt_tokens: 700, completion_tokens: 60, total_tokens: 760 },
  });
  const [before = '', after = ''] = body.split('@');
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length - 1 + NONCE_LENGTH}\r\n\r\n`;
  return [head + before, after];
};
const ALLOW = completion(0.02);
const REVIEW = completion(0.7);

let answered = 0;

function answer(socket: Socket, request: Buffer): void {
  const at = request.indexOf(NONCE);
  const nonce = request.toString('latin1', at + NONCE.length, at + NONCE.length + NONCE_LENGTH);
  const [before, after] = Number.parseInt(nonce.slice(0, 2), 16) < REVIEWS_OF_256 ? REVIEW : ALLOW;
  answered++;
  if (!socket.destroyed) socket.write(before + nonce + after, 'latin1');
}

const server = createServer((socket) => {
  let held: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf(HEAD_END);
      if (end === -1) return;
      const head = held.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const total = end + HEAD_END.length + length;
      if (held.length < total) return;
      const request = held.subarray(0, total);
      held = held.subarray(total);
      const delayMs = Number(/^POST \/after-(\d+)\//.exec(head)?.[1] ?? 0);
      if (delayMs === 0) answer(socket, request);
      else setTimeout(answer, delayMs, socket, request);
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
// Asked how many answers it gave since it was last asked.
process.on('message', () => {
  process.send?.({ answered });
  answered = 0;
});
process.on('disconnect', () => process.exit(0));

// Ports of this machine.
import net from 'node:net';

/** @returns {Promise<number>} a port that nobody has at the moment */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/**
 * Whether nobody listens on a port, by either name of this machine (a browser may try ::1 first).
 * @param {number} port
 */
export async function isPortFree(port) {
  for (const host of ['127.0.0.1', '::1']) {
    const refusal = await new Promise((resolve) => {
      const server = net.createServer().on('error', resolve);
      server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
    });
    if (refusal && ['EADDRINUSE', 'EACCES'].includes(refusal.code)) return false;
  }
  return true;
}

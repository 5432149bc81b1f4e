import net from 'node:net';

/** A way to the database that can be cut while the database itself notices nothing yet. */
export type DatabaseProxy = {
  /** The address of the database, by way of here. */
  readonly url: string;
  /** Cuts every connection on the client's side; new ones are let through. @returns what lets the database notice. */
  cut(): () => void;
  close(): Promise<void>;
};

/** @param url of the database. */
export async function startProxy(url: string): Promise<DatabaseProxy> {
  const target = new URL(url);
  const pairs = new Set<{ client: net.Socket; server: net.Socket }>();
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(target.port), target.hostname);
    const pair = { client, server };
    pairs.add(pair);
    client.pipe(server, { end: false });
    server.pipe(client, { end: false });
    client.on('error', () => {});
    server.on('error', () => {});
    client.on('end', () => server.end());
    server.on('close', () => {
      client.destroy();
      pairs.delete(pair);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const here = new URL(url);
  here.hostname = '127.0.0.1';
  here.port = String((proxy.address() as net.AddressInfo).port);
  return {
    url: here.href,
    cut: () => {
      const cut = [...pairs];
      for (const { client } of cut) client.resetAndDestroy();
      return () => {
        for (const { server } of cut) server.destroy();
      };
    },
    close: async () => {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}

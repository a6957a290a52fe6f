import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy that loses responses: when one starts, it closes both connections. */
export interface LosingProxy extends AsyncDisposable {
  readonly url: string;
  /** The number of responses lost so far. */
  readonly lost: () => number;
}

export async function losingProxy(target: string, responsesToLose: number): Promise<LosingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let lost = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    open.add(near.on('close', () => open.delete(near)));
    near.on('error', end).on('close', end).pipe(far);
    far
      .on('error', end)
      .on('close', end)
      .on('data', (response) => {
        if (lost === responsesToLose) near.write(response);
        else {
          lost++;
          end();
        }
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lost: () => lost,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

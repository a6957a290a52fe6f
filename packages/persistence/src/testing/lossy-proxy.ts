import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

/** The replacements of a lost response. `XX000` is an internal error of the server. */
export const LOSSES = ['reset', 'broken TLS', 'XX000'] as const;

export type Loss = (typeof LOSSES)[number];

export interface LossyProxy extends AsyncDisposable {
  readonly url: string;
  /** The number of responses lost so far. */
  readonly lostCount: () => number;
}

interface Options {
  /** A text in the bytes of the affected requests, such as the name of a statement. */
  readonly request: string;
  readonly loss: Loss;
  /** Decides whether to lose the response to the nth of these requests, counted from 1. */
  readonly isLost: (nth: number) => boolean;
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);
/** An ErrorResponse, followed by ReadyForQuery. */
const INTERNAL_ERROR = Buffer.from('E\0\0\0\x23SERROR\0CXX000\0Minternal error\0\0Z\0\0\0\x05I', 'latin1');
const NO_TLS_RECORD = Buffer.from('This is not a TLS record.');

/** A proxy in front of PostgreSQL that loses complete responses: the server has committed, but the client cannot know. */
export async function lossyProxy(databaseUrl: string, options: Options): Promise<LossyProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const certificate = await generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec' });
  const sockets = new Set<Socket>();
  let [requests, lostCount] = [0, 0];

  const serve = (near: Socket, client: Duplex): void => {
    const far = connect(Number(port), hostname);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    let losing = false;
    let response = Buffer.alloc(0);
    near.on('close', end);
    client.on('error', end).on('data', (bytes: Buffer) => {
      if (bytes.includes(options.request) && options.isLost(++requests)) losing = true;
      far.write(bytes);
    });
    far
      .on('error', end)
      .on('close', end)
      .on('data', (bytes: Buffer) => {
        if (!losing) {
          client.write(bytes);
          return;
        }
        response = Buffer.concat([response, bytes]);
        if (!response.subarray(-READY_FOR_QUERY.length - 1).includes(READY_FOR_QUERY)) return;
        losing = false;
        response = Buffer.alloc(0);
        lostCount++;
        if (options.loss === 'reset') near.resetAndDestroy();
        else if (options.loss === 'broken TLS') near.write(NO_TLS_RECORD);
        else client.write(INTERNAL_ERROR);
      });
  };

  const server = createServer((near) => {
    sockets.add(near.on('close', () => sockets.delete(near)).on('error', () => near.destroy()));
    near.once('data', () => {
      near.pause();
      const [inner, outer] = duplexPair();
      near.pipe(outer).pipe(near);
      const tls = new TLSSocket(inner, { isServer: true, key: certificate.private, cert: certificate.cert });
      serve(near, tls);
      near.write('S');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `${Object.assign(new URL(databaseUrl), { port: String((server.address() as AddressInfo).port) }).href}?sslmode=no-verify`,
    lostCount: () => lostCount,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

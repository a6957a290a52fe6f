import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { freePort } from '../../../../tools/free-port.ts';
import { startNatsServer, type NatsServer } from './nats-server.ts';

export interface NatsCluster extends AsyncDisposable {
  /** Contains all servers. */
  readonly url: string;
  /** The servers by name. */
  readonly servers: ReadonlyMap<string, NatsServer>;
}

/** Shorter than the time limit of a test, so a failure can show the logs of the servers. */
const ELECTED_WITHIN_MS = 120_000;
/** Requests get no response before the election. */
const RESPONSE_WITHIN_MS = 250;

/** Resolves once the servers have elected a leader, which creates streams. */
export async function startNatsCluster(size: number): Promise<NatsCluster> {
  const ports = await Promise.all(Array.from({ length: size }, freePort));
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`).join(', ');
  const servers = await Promise.all(
    ports.map(async (port, i) => {
      const name = `server-${i}`;
      const configuration = `server_name: ${name}
        cluster { name: test, listen: "127.0.0.1:${port}", routes: [${routes}] }`;
      return [name, await startNatsServer(configuration)] as const;
    }),
  );
  const urls = servers.map(([, { url }]) => url);
  const connection = await connect({ servers: urls });
  const isServed = (): Promise<boolean> =>
    jetstreamManager(connection, { timeout: RESPONSE_WITHIN_MS }).then(
      () => true,
      () => false,
    );
  await until(isServed, ELECTED_WITHIN_MS).catch(async (error: unknown) => {
    const logs = await Promise.all(servers.map(([, server]) => server.log()));
    throw new Error(`The servers did not elect a leader:\n${logs.join('\n')}`, { cause: error });
  });
  await connection.close();
  return {
    url: urls.join(','),
    servers: new Map(servers),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(([, server]) => server[Symbol.asyncDispose]()));
    },
  };
}

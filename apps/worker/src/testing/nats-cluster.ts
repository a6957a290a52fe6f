import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { until } from '@plugin-config/server/testing';
import { freeNatsPort, startNatsServer, type NatsServer } from './nats-server.ts';

/** NATS servers that keep streams together. */
export interface NatsCluster extends AsyncDisposable {
  /** The URL with all servers. */
  readonly url: string;
  /** The servers by their names. */
  readonly servers: ReadonlyMap<string, NatsServer>;
}

const ELECTED_WITHIN_MS = 60_000;

/** Resolves once the servers have elected the one that creates streams. */
export async function startNatsCluster(size: number): Promise<NatsCluster> {
  const ports = await Promise.all(Array.from({ length: size }, freeNatsPort));
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
    jetstreamManager(connection).then(
      () => true,
      () => false,
    );
  await until(isServed, ELECTED_WITHIN_MS);
  await connection.close();
  return {
    url: urls.join(','),
    servers: new Map(servers),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(([, server]) => server[Symbol.asyncDispose]()));
    },
  };
}

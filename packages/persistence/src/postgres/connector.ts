import pg from 'pg';
import { watchPrimary, type Primary } from './primary.ts';
import { readServerState } from './server-state.ts';
import { CONNECT_TIMEOUT, sessionSettings } from './session.ts';
import { destroyWhenSilent } from './silence.ts';

/** Idle connections are probed after this time to detect the loss of the host. */
const KEEP_ALIVE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

interface ConnectorOptions {
  readonly url: string;
  readonly applicationName?: string | undefined;
  readonly statementTimeoutMs?: number | undefined;
}

/** Opens the connections of a process to the primary. */
export interface Connector {
  readonly primary: Primary;
  /** The options of a pool. Its connections must be passed to `prepare` before they are used. */
  readonly options: pg.ClientConfig;
  prepare(client: pg.ClientBase): Promise<void>;
  /** Opens a prepared connection. */
  open(): Promise<pg.Client>;
}

export function connector({
  url,
  applicationName,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: ConnectorOptions): Connector {
  const options = {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const primary = watchPrimary();

  const prepare = async (client: pg.ClientBase): Promise<void> => {
    destroyWhenSilent(client, statementTimeoutMs);
    const settings = sessionSettings(statementTimeoutMs);
    primary.admit(client, await readServerState(client, { settings, timeoutMs: CONNECT_TIMEOUT }));
  };

  return {
    primary,
    options,
    prepare,
    async open() {
      const client = new pg.Client(options).on('error', () => undefined);
      try {
        await client.connect();
        await prepare(client);
        return client;
      } catch (error) {
        client.end().catch(() => undefined);
        throw error;
      }
    },
  };
}

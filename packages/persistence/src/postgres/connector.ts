import { callbackify } from 'node:util';
import pg from 'pg';
import { parseDatabaseUrl, type DatabaseHost } from './database-url.ts';
import { primaryFinder, type Primary, type PrimaryFinder } from './primary.ts';
import { askServerState, type ServerState } from './server-state.ts';
import { CONNECT_TIMEOUT, sessionSettings } from './session.ts';
import { destroyWhenSilent } from './silence.ts';

/** A host that does not say within this time what it is counts as gone. */
const ASK_TIMEOUT = 1_000;
/** An idle connection is probed after this time, so that the loss of a host is noticed. */
const KEEP_ALIVE_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 10_000;

interface ConnectorOptions {
  readonly url: string;
  readonly applicationName?: string | undefined;
  readonly statementTimeoutMs?: number | undefined;
}

/** Makes all connections of a process, to the primary. */
export interface Connector {
  readonly primary: Primary;
  /** For a pool, whose connections must be prepared before they are used. */
  readonly options: pg.ClientConfig & { readonly Client: typeof pg.Client };
  prepare(client: pg.ClientBase): Promise<void>;
  /** Opens a connection that is prepared. */
  open(): Promise<pg.Client>;
  close(): void;
}

export function connector({
  url,
  applicationName,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: ConnectorOptions): Connector {
  const address = parseDatabaseUrl(url);
  const [first, ...others] = address.hosts;
  const connection = {
    connectionString: first.url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  const primary = primaryFinder({ ...address, ask: askHost });
  const hosts = new WeakMap<pg.ClientBase, DatabaseHost>();
  const Client = others.length === 0 ? pg.Client : clientOfPrimary(primary, hosts);
  const options = { ...connection, Client };

  const prepare = async (client: pg.ClientBase): Promise<void> => {
    destroyWhenSilent(client, statementTimeoutMs);
    const settings = sessionSettings(statementTimeoutMs);
    const host = hosts.get(client) ?? first;
    try {
      const state = await askServerState(client, { settings, timeoutMs: CONNECT_TIMEOUT });
      primary.admit(client, host, state);
    } catch (error) {
      primary.failed(host);
      throw error;
    }
  };

  return {
    primary,
    options,
    prepare,
    async open() {
      const client = new Client(options).on('error', () => undefined);
      try {
        await client.connect();
        await prepare(client);
        return client;
      } catch (error) {
        client.end().catch(() => undefined);
        throw error;
      }
    },
    close: primary.close,
  };
}

/** A client that connects to the primary. The pool calls `connect` with a callback. */
function clientOfPrimary(
  primary: PrimaryFinder,
  hosts: WeakMap<pg.ClientBase, DatabaseHost>,
): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error | null) => void): void;
    override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | void {
      if (callback === undefined) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    async #connect(): Promise<pg.Client> {
      const host = await primary.locate();
      const { hostname, port } = new URL(host.url);
      hosts.set(this, host);
      this.host = hostname.replace(/^\[(.*)\]$/, '$1');
      this.port = Number(port || 5432);
      try {
        return await super.connect();
      } catch (error) {
        primary.failed(host);
        throw error;
      }
    }
  };
}

/** Asks a host what it is, on a connection of its own. */
async function askHost({ url }: DatabaseHost): Promise<ServerState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ASK_TIMEOUT });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await askServerState(client, { timeoutMs: ASK_TIMEOUT });
  } finally {
    client.end().catch(() => undefined);
  }
}

/** The URL of the primary among the hosts of a `DATABASE_URL`. A single host is taken as it is. */
export async function primaryUrl(url: string): Promise<string> {
  const primary = primaryFinder({ ...parseDatabaseUrl(url), ask: askHost });
  try {
    return (await primary.locate()).url;
  } finally {
    primary.close();
  }
}

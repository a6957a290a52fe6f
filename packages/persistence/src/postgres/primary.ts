import type pg from 'pg';
import type { DatabaseAddress, DatabaseHost } from './database-url.ts';
import { isSameLineage, isSameServer, whyRefused, type ServerState } from './server-state.ts';
import { wireOf } from './wire.ts';

/** A server that the connections have left for another one, or that came back with another lineage. */
export interface Failover {
  readonly from: string;
  readonly to: string;
  readonly timeline: number;
}

/** The server that all connections of a process lead to. */
export interface Primary {
  /**
   * Rises whenever commits that this process has seen may be lost: before the first connection to another server, to another
   * timeline or lineage, or to a server that was started again.
   */
  readonly generation: number;
  /** The lineage of the database, as in `ServerState`. All processes read the same. */
  readonly lineage: string;
  /** The address of the server; null before the first connection and, with several hosts, while none is the primary. */
  readonly host: string | null;
  readonly failovers: number;
  onFailover(listener: (failover: Failover) => void): void;
}

export interface PrimaryFinder extends Primary {
  /** The host to connect to. Asks all hosts if it is not known which of them is the primary. */
  locate(): Promise<DatabaseHost>;
  /**
   * Watches a new connection until it ends. If its server has taken over from that of the other connections, ends these.
   * @throws NoPrimary if the server of the new connection is not the primary
   */
  admit(client: pg.ClientBase, host: DatabaseHost, state: ServerState): void;
  /** Reports that a connection could not be made: before the next one, all hosts are asked. */
  failed(host: DatabaseHost): void;
  close(): void;
}

interface Dependencies extends DatabaseAddress {
  readonly ask: (host: DatabaseHost) => Promise<ServerState>;
}

interface Found {
  readonly host: DatabaseHost;
  readonly state: ServerState;
}

interface Session {
  readonly host: DatabaseHost;
  /** The bytes received when a query was found running; null if none was. */
  received: number | null;
}

const READ_ONLY_TRANSACTION = '25006';
const WATCH_MS = 1_000;
/** The callers of this time share the outcome of a search. */
const SEARCH_REST_MS = 250;

/** There is no primary now, or the server is not it. As if the server were starting. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/**
 * Finds the primary among the hosts, and keeps all connections on one server and one lineage of the database. If there are
 * several hosts, and a query receives nothing for a second, it asks all of them again.
 */
export function primaryFinder({ hosts, needsPrimary, ask }: Dependencies): PrimaryFinder {
  const only = hosts.length === 1 ? hosts[0] : null;
  const sessions = new Map<pg.ClientBase, Session>();
  const listeners: ((failover: Failover) => void)[] = [];
  let located: DatabaseHost | null = only;
  let current: Found | null = null;
  let [generation, failovers] = [0, 0];
  let searching: Promise<DatabaseHost> | null = null;

  const endSessions = (which: (session: Session) => boolean): void => {
    for (const [client, session] of sessions) if (which(session)) end(client);
  };

  /** Notes the server of a new connection. If commits may be lost on it, ends all other connections. */
  const notice = (host: DatabaseHost, state: ServerState): void => {
    const before = current;
    const reason = before === null ? null : whyRefused(state, before.state);
    if (reason !== null) throw new NoPrimary(`${host.name} ${reason}.`);
    current = { host, state };
    if (before === null) return;
    const isContinued = isSameLineage(state, before.state);
    if (isContinued && isSameServer(state, before.state)) return;
    generation++;
    endSessions(() => true);
    if (host.name === before.host.name && isContinued) return;
    failovers++;
    for (const tell of listeners) tell({ from: before.host.name, to: host.name, timeline: state.timeline });
  };

  const search = async (): Promise<DatabaseHost> => {
    const asked = await Promise.allSettled(hosts.map(async (host) => ({ host, state: await ask(host) })));
    const found = asked
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .filter(
        ({ state }) => state.isWritable && (current === null || whyRefused(state, current.state) === null),
      )
      .reduce<Found | null>(
        (best, one) => (best !== null && best.state.timeline >= one.state.timeline ? best : one),
        null,
      );
    located = found?.host ?? null;
    if (found === null) {
      const reasons = hosts.map(({ name }, i) => `${name} ${whyNot(asked[i], current)}`);
      throw new NoPrimary(`None of the hosts is the primary: ${reasons.join('; ')}.`);
    }
    notice(found.host, found.state);
    return found.host;
  };

  const searchOnce = (): Promise<DatabaseHost> => {
    if (searching === null) {
      const forget = (): void => void setTimeout(() => (searching = null), SEARCH_REST_MS).unref();
      searching = search();
      searching.then(forget, forget);
    }
    return searching;
  };

  const failed = (host: DatabaseHost): void => {
    if (located === host) located = only;
  };

  const leave = (host: DatabaseHost): void => {
    failed(host);
    endSessions((session) => session.host === host);
  };

  /** Looks for another primary if a query has received nothing since the last call. */
  const watch = (): void => {
    for (const [client, session] of sessions) {
      const { connection, readyForQuery } = wireOf(client);
      const received = readyForQuery ? null : connection.stream.bytesRead;
      if (received !== null && received === session.received) void searchOnce();
      session.received = received;
    }
  };
  const timer = only === null ? setInterval(watch, WATCH_MS).unref() : undefined;

  return {
    get generation() {
      return generation;
    },
    get lineage() {
      return current?.state.lineage ?? '';
    },
    get host() {
      return located === null ? null : (current?.host.name ?? null);
    },
    get failovers() {
      return failovers;
    },
    onFailover: (listener) => void listeners.push(listener),
    locate: async () => located ?? searchOnce(),
    admit(client, host, state) {
      if (needsPrimary && !state.isWritable) throw new NoPrimary(`${host.name} cannot be written to.`);
      notice(host, state);
      sessions.set(client, { host, received: null });
      client.once('end', () => sessions.delete(client));
      if (needsPrimary) {
        wireOf(client).connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
          if (code === READ_ONLY_TRANSACTION) leave(host);
        });
      }
    },
    failed,
    close: () => clearInterval(timer),
  };
}

function whyNot(answer: PromiseSettledResult<Found> | undefined, current: Found | null): string {
  if (answer?.status === 'fulfilled') {
    const { state } = answer.value;
    const refused = current === null ? null : whyRefused(state, current.state);
    return (state.isWritable ? refused : null) ?? 'cannot be written to';
  }
  return `did not answer (${answer?.reason instanceof Error ? answer.reason.message : 'no reason'})`;
}

/** Ends a connection at once, without reading what is still to come. */
function end(client: pg.ClientBase): void {
  wireOf(client).connection.stream.destroy(new LeftServer());
}

class LeftServer extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection was ended because its server is not the primary any more.');
  }
}

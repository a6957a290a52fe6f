import type pg from 'pg';
import { isSameTimeline, isSameServer, rejectionReason, type ServerState } from './server-state.ts';
import { wireOf } from './wire.ts';

/** The server that all connections of a process lead to. */
export interface Primary {
  /**
   * Rises whenever commits that this process has seen may be lost: before the first connection to another server, to another
   * timeline, or to a server that was started again.
   */
  readonly connectionEpoch: number;
  /** The timeline id of the database, as in `ServerState`. All processes read the same. */
  readonly timelineId: string;
  /** How often the connections have moved to another timeline. */
  readonly failovers: number;
  /** Calls the listener with the timeline of the new primary after each failover. */
  onFailover(listener: (timeline: number) => void): void;
}

export interface PrimaryWatch extends Primary {
  /**
   * Watches a new connection until it ends. If its server has taken over from that of the other connections, ends these.
   * @throws NoPrimary if the process must not follow the server of the new connection
   */
  admit(client: pg.ClientBase, state: ServerState): void;
}

const READ_ONLY_TRANSACTION = '25006';

/** The address leads to a server that is not the primary. To callers, the primary is starting. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/** Keeps all connections of a process on one server and one timeline of the database. */
export function watchPrimary(): PrimaryWatch {
  const clients = new Set<pg.ClientBase>();
  const listeners: ((timeline: number) => void)[] = [];
  let current: ServerState | null = null;
  let [connectionEpoch, failovers] = [0, 0];

  /** Notes the server of a new connection. If commits may be lost on it, ends all other connections. */
  const notice = (state: ServerState): void => {
    const before = current;
    const reason = before === null ? null : rejectionReason(state, before);
    if (reason !== null) throw new NoPrimary(`The database server ${reason}.`);
    current = state;
    if (before === null) return;
    const isContinued = isSameTimeline(state, before);
    if (isContinued && isSameServer(state, before)) return;
    connectionEpoch++;
    clients.forEach(end);
    if (isContinued) return;
    failovers++;
    for (const tell of listeners) tell(state.pgTimeline);
  };

  return {
    get connectionEpoch() {
      return connectionEpoch;
    },
    get timelineId() {
      return current?.timelineId ?? '';
    },
    get failovers() {
      return failovers;
    },
    onFailover: (listener) => void listeners.push(listener),
    admit(client, state) {
      notice(state);
      clients.add(client);
      client.once('end', () => clients.delete(client));
      // A server that was read-only from the start may go on serving reads.
      if (!state.isWritable) return;
      wireOf(client).connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        // The address may lead to a new primary by now.
        if (code === READ_ONLY_TRANSACTION) clients.forEach(end);
      });
    },
  };
}

/** Ends a connection at once, without reading what is still to come. */
function end(client: pg.ClientBase): void {
  wireOf(client).connection.stream.destroy(new LeftServer());
}

class LeftServer extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection was ended because its server may no longer be the primary.');
  }
}

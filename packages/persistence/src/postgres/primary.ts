import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { isSameTimeline, isSameServer, rejectionReason, type ServerState } from './server-state.ts';
import type { Timeline } from './timeline.ts';
import { wireOf } from './wire.ts';

/** The server that all connections of a process use. */
export interface Primary {
  /**
   * Replaced whenever commits that this process has seen may be lost: before the first connection to another server or history,
   * or to a restarted server.
   */
  readonly timeline: Timeline;
  /** The number of times that the connections have moved to another timeline. */
  readonly failovers: number;
  /** Calls the listener after each failover, with the number that PostgreSQL gives to the new timeline. */
  onFailover(listener: (pgTimeline: number) => void): void;
}

export interface PrimaryWatch extends Primary {
  /**
   * Watches a new connection until it ends. If its server has replaced the server of the other connections, ends these.
   * @throws NoPrimary if the process must not use the server of the new connection
   */
  admit(client: pg.ClientBase, state: ServerState): void;
}

const READ_ONLY_TRANSACTION = '25006';

/** The address leads to a server that is not the primary. To callers, this looks like a primary that is still starting. */
class NoPrimary extends Error {
  readonly code = '57P03';
}

/** Keeps all connections of a process on one server and one timeline of the database. */
export function watchPrimary(): PrimaryWatch {
  const clients = new Set<pg.ClientBase>();
  const failoverListeners: ((timeline: number) => void)[] = [];
  let current: ServerState | null = null;
  let timeline = newTimeline('');
  let failovers = 0;

  /** Stores the server of a new connection. Ends all other connections if commits may be lost on it. */
  const update = (state: ServerState): void => {
    const before = current;
    const reason = before === null ? null : rejectionReason(state, before);
    if (reason !== null) throw new NoPrimary(`The database server ${reason}.`);
    current = state;
    const isContinued = before === null || isSameTimeline(state, before);
    if (before === null || (isContinued && isSameServer(state, before))) {
      if (state.timelineId !== '') timeline.id = state.timelineId;
      return;
    }
    const { ending } = timeline;
    timeline = newTimeline(state.timelineId);
    clients.forEach(end);
    ending.abort();
    if (isContinued) return;
    failovers++;
    for (const listener of failoverListeners) listener(state.pgTimeline);
  };

  return {
    get timeline() {
      return timeline;
    },
    get failovers() {
      return failovers;
    },
    onFailover: (listener) => void failoverListeners.push(listener),
    admit(client, state) {
      update(state);
      clients.add(client);
      client.once('end', () => clients.delete(client));
      // A server that was read-only from the start can keep serving reads.
      if (!state.isWritable) return;
      wireOf(client).connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
        // The address may already lead to a new primary.
        if (code === READ_ONLY_TRANSACTION) clients.forEach(end);
      });
    },
  };
}

function newTimeline(id: string) {
  const ending = new AbortController();
  return { id: id === '' ? randomUUID().slice(0, 8) : id, ending, ended: ending.signal };
}

/** Ends a connection at once, without reading pending data. */
function end(client: pg.ClientBase): void {
  wireOf(client).connection.stream.destroy(new LeftServer());
}

class LeftServer extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection was ended because its server may no longer be the primary.');
  }
}

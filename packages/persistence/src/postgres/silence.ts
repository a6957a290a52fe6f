import type pg from 'pg';
import { wireOf } from './wire.ts';

/** Gives the server time to report its own timeouts first. */
const GRACE_MS = 1_000;

/**
 * Destroys a connection that receives no data for this time during a query, since the server is frozen or unreachable. Uses the
 * timeout of the socket, because a timer per statement would keep finished statements in memory.
 */
export function destroyWhenSilent(client: pg.ClientBase, silenceMs: number): void {
  const wire = wireOf(client);
  const { stream } = wire.connection;
  stream.setTimeout(silenceMs + GRACE_MS).on('timeout', () => {
    if (!wire.readyForQuery) stream.destroy(new SilenceError());
  });
}

/** Allows the connection a longer silence during the work. */
export async function allowSilence<T>(
  client: pg.ClientBase,
  silenceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const { stream } = wireOf(client).connection;
  const usual = stream.timeout ?? 0;
  stream.setTimeout(Math.max(usual, silenceMs + GRACE_MS));
  try {
    return await work();
  } finally {
    stream.setTimeout(usual);
  }
}

class SilenceError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The server did not respond in time.');
  }
}

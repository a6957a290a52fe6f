import type { Socket } from 'node:net';
import type pg from 'pg';

/** What the driver's types do not tell of a connection. */
interface Wire {
  readonly connection: { readonly stream: Socket };
  /** False while something is asked of it. */
  readonly readyForQuery: boolean;
}

/** The server tells of its own time-outs first. */
const GRACE_MS = 1_000;

/**
 * Ends a connection that says nothing for so long while something is asked of it: its server is frozen, or the way to
 * it is gone. The socket's own timer does it: a timer for each statement keeps dead statements in memory.
 */
export function endInSilence(client: pg.ClientBase, patienceMs: number): void {
  const wire = wireOf(client);
  const { stream } = wire.connection;
  stream.setTimeout(patienceMs + GRACE_MS).on('timeout', () => {
    if (!wire.readyForQuery) stream.destroy(new SilenceError());
  });
}

/** Lets the connection be silent for longer while the work goes on. */
export async function bearSilence<T>(
  client: pg.ClientBase,
  patienceMs: number,
  work: () => Promise<T>,
): Promise<T> {
  const { stream } = wireOf(client).connection;
  const usual = stream.timeout ?? 0;
  stream.setTimeout(Math.max(usual, patienceMs + GRACE_MS));
  try {
    return await work();
  } finally {
    stream.setTimeout(usual);
  }
}

class SilenceError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The server said nothing for too long.');
  }
}

function wireOf(client: pg.ClientBase): Wire {
  return client as pg.ClientBase & Wire;
}

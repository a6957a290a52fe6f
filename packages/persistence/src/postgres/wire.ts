import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** The part of a connection that the types of the driver lack. */
interface Wire {
  /** Emits `errorMessage` for each error that the server reports. */
  readonly connection: EventEmitter & { readonly stream: Socket };
  /** False while a query is running. */
  readonly readyForQuery: boolean;
}

export function wireOf(client: pg.ClientBase): Wire {
  return client as pg.ClientBase & Wire;
}

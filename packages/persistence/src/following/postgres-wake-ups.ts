import { EventEmitter } from 'node:events';
import type { WakeUps } from '@plugin-config/domain';
import type pg from 'pg';
import type { Database } from '../postgres/database.ts';
import { CHANNEL, idsIn } from '../postgres/notify-listeners.ts';

const POLL_MS = 2_000;
const PAUSE_MAX_MS = 60_000;
/** Repeated to check the connection. The driver supports a timeout per query, but its types do not say so. */
const LISTEN = { text: `listen ${CHANNEL}`, query_timeout: 1_500 };

export interface PostgresWakeUps extends WakeUps {
  close(): void;
}

/** A connection that listens for notifications, or that is still opening. */
interface Connection {
  client: pg.Client | null;
  isLive: boolean;
}

/**
 * Listens for notifications on a dedicated connection while there are listeners. While that connection is down, wakes all
 * listeners every two seconds, and reconnects with exponential backoff.
 */
export function postgresWakeUps(
  { openConnection }: Pick<Database, 'openConnection'>,
  { pollMs = POLL_MS } = {},
): PostgresWakeUps {
  /** An event for each record. */
  const listeners = new EventEmitter().setMaxListeners(0);
  let current: Connection | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  let dueAt = 0;

  const open = async (own: Connection): Promise<void> => {
    const client = await openConnection();
    if (own !== current) return destroy(client);
    own.client = client
      .on('end', () => end(own))
      .on('notification', ({ payload = '' }) => wake(idsIn(payload)));
    await client.query(LISTEN);
    own.isLive = true;
    failures = 0;
    wake('all');
  };

  const wake = (ids: ReturnType<typeof idsIn>): void => {
    for (const id of ids === 'all' ? listeners.eventNames() : ids) listeners.emit(String(id));
  };

  const end = (own: Connection): void => {
    if (own !== current) return;
    current = null;
    destroy(own.client);
    dueAt = performance.now() + Math.min(PAUSE_MAX_MS, pollMs * 2 ** failures++);
  };

  const close = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    if (current !== null) end(current);
    failures = 0;
    dueAt = 0;
  };

  const check = (): void => {
    if (listeners.eventNames().length === 0) return close();
    if (current === null && performance.now() >= dueAt) {
      const own = (current = { client: null, isLive: false });
      open(own).catch(() => end(own));
    } else if (current?.isLive === true) {
      const own = current;
      own.client?.query(LISTEN).catch(() => end(own));
    }
    if (current?.isLive !== true) wake('all');
  };

  return {
    get isLive() {
      return current?.isLive === true;
    },
    listen(recordId, listener) {
      const event = String(recordId);
      listeners.on(event, listener);
      if (timer === null) {
        timer = setInterval(check, pollMs);
        check();
      }
      return () => void listeners.off(event, listener);
    },
    close,
  };
}

/** Closes a connection without waiting for the server. */
function destroy(client: pg.Client | null): void {
  client?.end().catch(() => undefined);
}

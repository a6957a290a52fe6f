import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { CHANNEL, idsIn } from '../postgres/notify-listeners.ts';
import type { Database } from '../postgres/database.ts';

/** A connection that listens for notifications. It may still be opening. */
export interface Notifications {
  /** Whether notifications arrive: the connection has received a ping, which is sent through the pool. */
  readonly isLive: boolean;
  /** Ends the connection if its last ping is lost. Sends a ping after a while without notifications. */
  check(): void;
  end(): void;
}

interface Options {
  readonly onLive: () => void;
  readonly onNotification: (ids: readonly number[] | 'all') => void;
  /** Called once, when the connection is lost or could not be opened. */
  readonly onEnd: () => void;
}

const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 1_500;

/**
 * Listens on a separate connection. After a while without notifications, it pings itself through the pool. If the ping does
 * not arrive, the connection is dead, or behind a pooler that does not deliver notifications.
 */
export function notifications(
  { pool, openConnection }: Pick<Database, 'pool' | 'openConnection'>,
  { onLive, onNotification, onEnd }: Options,
): Notifications {
  const pingChannel = `plugin_config_${randomUUID().replaceAll('-', '')}`;
  let client: pg.Client | null = null;
  let state: 'opening' | 'pinged' | 'live' | 'ended' = 'opening';
  let isLive = false;
  let receivedAt = 0;
  let pingedAt = 0;

  const end = (): void => {
    if (state === 'ended') return;
    state = 'ended';
    isLive = false;
    destroy(client);
    onEnd();
  };

  const receive = ({ channel, payload = '' }: pg.Notification): void => {
    receivedAt = performance.now();
    if (channel === CHANNEL) onNotification(idsIn(payload));
    else {
      state = 'live';
      if (!isLive) onLive();
      isLive = true;
    }
  };

  const ping = (): void => {
    state = 'pinged';
    pingedAt = performance.now();
    pool.query('select pg_notify($1, $2)', [pingChannel, '']).catch(() => undefined);
  };

  const open = async (): Promise<void> => {
    const opened = await openConnection();
    if (state === 'ended') return destroy(opened);
    client = opened.on('end', end).on('notification', receive);
    await client.query(`listen ${CHANNEL}; listen ${pingChannel}`);
    ping();
  };

  open().catch(end);
  return {
    get isLive() {
      return isLive;
    },
    check() {
      const now = performance.now();
      if (state === 'pinged' && now - pingedAt > PING_TIMEOUT_MS) end();
      else if (state === 'live' && now - receivedAt > PING_INTERVAL_MS) ping();
    },
    end,
  };
}

/** Closes the connection without waiting for the server. Its listeners are not called any more. */
function destroy(client: pg.Client | null): void {
  client?.removeAllListeners('end').removeAllListeners('notification');
  client?.end().catch(() => undefined);
}

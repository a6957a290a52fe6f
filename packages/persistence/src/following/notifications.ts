import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { CHANNEL, idsIn } from '../postgres/notify-listeners.ts';
import type { Database } from '../postgres/database.ts';

/** An open or opening connection that listens for notifications. */
export interface Notifications {
  /** Whether notifications arrive: the connection has heard its own notification, sent through the pool. */
  readonly isLive: boolean;
  /** Ends the connection if its last query did not arrive; asks again if it has heard nothing for a while. */
  check(): void;
  end(): void;
}

interface Options {
  readonly onLive: () => void;
  readonly onNotification: (ids: readonly number[] | 'all') => void;
  /** Called once, when the connection is lost or could not be opened. */
  readonly onEnd: () => void;
}

const QUIET_MS = 10_000;
const ANSWER_MS = 1_500;

/**
 * Listens on a connection of its own. If nothing arrives for a while, it sends itself a notification through the pool. If
 * that does not arrive either, the connection is dead, or behind a pooler that delivers no notifications.
 */
export function notifications(
  { pool, openConnection }: Pick<Database, 'pool' | 'openConnection'>,
  { onLive, onNotification, onEnd }: Options,
): Notifications {
  const own = `plugin_config_${randomUUID().replaceAll('-', '')}`;
  let client: pg.Client | null = null;
  let state: 'opening' | 'asked' | 'live' | 'ended' = 'opening';
  let isLive = false;
  let heardAt = 0;
  let askedAt = 0;

  const end = (): void => {
    if (state === 'ended') return;
    state = 'ended';
    isLive = false;
    destroy(client);
    onEnd();
  };

  const receive = ({ channel, payload = '' }: pg.Notification): void => {
    heardAt = performance.now();
    if (channel === CHANNEL) onNotification(idsIn(payload));
    else {
      state = 'live';
      if (!isLive) onLive();
      isLive = true;
    }
  };

  const ask = (): void => {
    state = 'asked';
    askedAt = performance.now();
    pool.query('select pg_notify($1, $2)', [own, '']).catch(() => undefined);
  };

  const open = async (): Promise<void> => {
    const opened = await openConnection();
    if (state === 'ended') return destroy(opened);
    client = opened.on('end', end).on('notification', receive);
    await client.query(`listen ${CHANNEL}; listen ${own}`);
    ask();
  };

  open().catch(end);
  return {
    get isLive() {
      return isLive;
    },
    check() {
      const now = performance.now();
      if (state === 'asked' && now - askedAt > ANSWER_MS) end();
      else if (state === 'live' && now - heardAt > QUIET_MS) ask();
    },
    end,
  };
}

/** Closes the connection without waiting for the server, and hears nothing more from it. */
function destroy(client: pg.Client | null): void {
  client?.removeAllListeners('end').removeAllListeners('notification');
  client?.end().catch(() => undefined);
}

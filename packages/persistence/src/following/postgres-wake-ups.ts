import type { WakeUps } from '@plugin-config/domain';
import { wakeUpListeners } from '@plugin-config/flow';
import type { Database } from '../postgres/database.ts';
import { notifications, type Notifications } from './notifications.ts';

const POLL_MS = 2_000;
const PAUSE_MAX_MS = 60_000;

export interface PostgresWakeUps extends WakeUps {
  close(): void;
}

/**
 * Listens for notifications while there are listeners. While that fails, wakes all listeners every two seconds, and retries
 * with exponential backoff.
 */
export function postgresWakeUps(
  database: Pick<Database, 'pool' | 'openConnection'>,
  { pollMs = POLL_MS } = {},
): PostgresWakeUps {
  const listeners = wakeUpListeners();
  let connection: Notifications | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failures = 0;
  let dueAt = 0;

  const open = (): Notifications =>
    notifications(database, {
      onLive: () => {
        failures = 0;
        listeners.wakeAll();
      },
      onNotification: (ids) => (ids === 'all' ? listeners.wakeAll() : listeners.wake(ids)),
      onEnd: () => {
        connection = null;
        dueAt = performance.now() + Math.min(PAUSE_MAX_MS, pollMs * 2 ** failures++);
      },
    });

  const close = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    connection?.end();
    failures = 0;
    dueAt = 0;
  };

  const check = (): void => {
    if (listeners.size === 0) return close();
    if (connection === null && performance.now() >= dueAt) connection = open();
    else connection?.check();
    if (connection?.isLive !== true) listeners.wakeAll();
  };

  return {
    get isLive() {
      return connection?.isLive === true;
    },
    listen(recordId, wake) {
      const end = listeners.listen(recordId, wake);
      if (timer === null) {
        timer = setInterval(check, pollMs);
        check();
      }
      return end;
    },
    close,
  };
}

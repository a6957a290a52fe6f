import type { Database } from '@plugin-config/persistence';
import type { Logger } from 'pino';

/** Logs failovers. */
export function logDatabase(logger: Logger, { primary }: Pick<Database, 'primary'>): void {
  primary.onFailover((timeline) => logger.warn({ timeline }, 'the database has failed over'));
}

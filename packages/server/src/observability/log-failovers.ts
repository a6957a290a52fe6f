import type { Database } from '@plugin-config/persistence';
import type { Logger } from 'pino';

/** Logs each change to another primary. */
export function logFailovers(logger: Logger, { primary }: Pick<Database, 'primary'>): void {
  primary.onFailover((failover) => logger.warn(failover, 'the database has failed over'));
}

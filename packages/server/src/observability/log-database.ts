import type { Database } from '@plugin-config/persistence';
import type { Logger } from 'pino';

/** Logs each change to another primary, and what the ORM warns of. */
export function logDatabase(
  logger: Logger,
  { primary, onOrmWarning }: Pick<Database, 'primary' | 'onOrmWarning'>,
): void {
  primary.onFailover((failover) => logger.warn(failover, 'the database has failed over'));
  onOrmWarning((warning) => logger.warn(warning, 'the ORM warns'));
}

import type { Database } from '@plugin-config/persistence';
import type { Logger } from 'pino';

/** Logs failovers and warnings of the ORM. */
export function logDatabase(
  logger: Logger,
  { primary, onOrmWarning }: Pick<Database, 'primary' | 'onOrmWarning'>,
): void {
  primary.onFailover((timeline) => logger.warn({ timeline }, 'the database has failed over'));
  onOrmWarning((warning) => logger.warn(warning, 'warning from the ORM'));
}

import { DomainError, type LogArchive } from '@plugin-config/domain';
import type { StoreDatabase } from '../../postgres/database.ts';

/** The copies of past days in the archive. Entries that arrived after a copy are in PostgreSQL. */
export type Copies = Omit<LogArchive, 'append' | 'summary' | 'eraseProject' | 'dropBefore'>;

/** Returns the copies. Without an archive, they can only be missing: another process has archived days. */
export function copiesOf({ archive }: Pick<StoreDatabase, 'archive'>): Copies {
  return archive ?? MISSING;
}

const missing = async (): Promise<never> => {
  throw new DomainError('unavailable', 'These entries are in ClickHouse, but CLICKHOUSE_URL is not set.', {
    retryAfterSeconds: 60,
  });
};

const MISSING: Copies = {
  known: missing,
  countByDay: missing,
  countBefore: missing,
  keys: missing,
  findKey: missing,
  find: missing,
};

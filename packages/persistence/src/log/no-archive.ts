import { DomainError, type LogArchive } from '@plugin-config/domain';

const missing = async (): Promise<never> => {
  throw new DomainError('unavailable', 'These entries are in ClickHouse, but CLICKHOUSE_URL is not set.', {
    retryAfterSeconds: 60,
  });
};

/** The archive of a process without ClickHouse. Only used if another process has archived days. */
export const NO_ARCHIVE: LogArchive = {
  append: missing,
  summary: missing,
  known: missing,
  countByDay: missing,
  countBefore: missing,
  keys: missing,
  findKey: missing,
  find: missing,
  eraseProject: async () => undefined,
  dropBefore: async () => undefined,
};

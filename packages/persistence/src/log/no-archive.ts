import { DomainError, type LogArchive } from '@plugin-config/domain';

const missing = async (): Promise<never> => {
  throw new DomainError(
    'unavailable',
    'These entries are in ClickHouse, which CLICKHOUSE_URL does not name.',
    {
      retryAfterSeconds: 60,
    },
  );
};

/** The archive of a process that has none. Asked only if another one has archived days. */
export const NO_ARCHIVE: LogArchive = {
  append: missing,
  summary: missing,
  known: missing,
  countByDay: missing,
  countBefore: missing,
  keys: missing,
  findKey: missing,
  find: missing,
  dropBefore: async () => undefined,
};

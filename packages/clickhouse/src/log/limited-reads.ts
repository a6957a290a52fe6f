import { DomainError, isEveryEntry, type LogFilter, type SeparateLog } from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { ClickHouse, Limits } from '../server/clickhouse.ts';
import { serverErrorCode } from '../server/translate-error.ts';
import { countBefore, findKey } from './find-key.ts';
import { newestKeys } from './newest-keys.ts';
import { readPage } from './read-page.ts';

const TIMEOUT_EXCEEDED = 159;

interface Dependencies {
  readonly clickHouse: ClickHouse;
  readonly searchTimeoutMs: number;
}

/** Reads pages and keys within a time limit. */
export function limitedReads({
  clickHouse,
  searchTimeoutMs,
}: Dependencies): Pick<SeparateLog, 'page' | 'newestKeys' | 'countBefore' | 'findKey'> {
  const read = async <T>({ filter, signal }: Reader, work: (limits: Limits) => Promise<T>): Promise<T> => {
    try {
      return await work({ timeLimitMs: searchTimeoutMs, signal: signal && abortSignalOf(signal) });
    } catch (error) {
      throw serverErrorCode(error) === TIMEOUT_EXCEEDED ? tooLong(filter, error) : error;
    }
  };
  return {
    page: (record, filter, page, { earliest, signal }) =>
      read({ filter, signal }, (limits) => readPage(clickHouse, { record, filter, page, earliest }, limits)),
    newestKeys: (record, filter, limit, { earliest, signal }) =>
      read({ filter, signal }, (limits) =>
        newestKeys(clickHouse, { record, filter, limit, earliest }, limits),
      ),
    countBefore: (record, filter, key, { earliest, signal }) =>
      read({ filter, signal }, (limits) =>
        countBefore(clickHouse, { record, filter, key, earliest }, limits),
      ),
    findKey: (record, id, { earliest, signal }) =>
      read({ filter: null, signal }, (limits) => findKey(clickHouse, { record, id, earliest }, limits)),
  };
}

interface Reader {
  /** Null if one entry is looked for. */
  readonly filter: LogFilter | null;
  readonly signal: StopSignal | undefined;
}

function abortSignalOf(signal: StopSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  else signal.addEventListener('abort', () => controller.abort());
  return controller.signal;
}

function tooLong(filter: LogFilter | null, cause: unknown): DomainError {
  if (filter === null) {
    const detail = 'Finding the entry takes too long; give its timestamp.';
    return new DomainError('invalid_input', detail, { attr: 'timestamp', cause });
  }
  const { search, types, source } = filter;
  const attr =
    search !== null ? 'search' : types.length > 0 ? 'type_filter' : source !== null ? 'source' : 'search';
  const what = isEveryEntry(filter) ? 'Reading the log' : 'The search';
  return new DomainError('invalid_input', `${what} takes too long; narrow it with after and before.`, {
    attr,
    cause,
  });
}

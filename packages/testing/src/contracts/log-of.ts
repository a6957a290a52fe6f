import type { ConfigRecord, LogEntry, LogFilter } from '@plugin-config/domain';
import type { LogPorts } from '../log-ports.ts';
import { WHOLE } from './read-state.ts';

export const EVERY: LogFilter = {
  types: [],
  source: null,
  instanceId: null,
  after: null,
  before: null,
  search: null,
};

/** Reads all matching entries of the record, newest first. */
export async function logOf(
  { logs }: Pick<LogPorts, 'logs'>,
  record: ConfigRecord,
  filter: Partial<LogFilter> = {},
): Promise<readonly LogEntry[]> {
  const { count, items } = await logs.page(record, { ...EVERY, ...filter }, WHOLE);
  if (count !== items.length) throw new Error(`found ${items.length} entries, but the count is ${count}`);
  return items;
}

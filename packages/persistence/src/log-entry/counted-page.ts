import type { LogEntry, LogFilter, Page, PageRequest } from '@plugin-config/domain';
import type pg from 'pg';
import { countFrom } from './count-from.ts';
import { entryAt } from './entry-columns.ts';
import { findStart, type LogDay, type Places } from './find-start.ts';
import { findKinds } from './log-kinds.ts';
import { readEntries } from './read-entries.ts';

interface RecordOfLog {
  readonly projectId: number;
  readonly id: number;
}

const EMPTY: Page<LogEntry> = { count: 0, items: [] };

/** A page by the counters: nothing before it is read but what stands in its first block. */
export async function countedPage(
  client: pg.ClientBase,
  record: RecordOfLog,
  filter: LogFilter,
  { limit, offset }: PageRequest,
): Promise<Page<LogEntry>> {
  const choice = await chosenKinds(client, record.id, filter);
  if (choice === null) return EMPTY;
  const { kinds, places } = choice;
  const newer = filter.before === null ? 0 : await countFrom(client, record.id, places, filter.before.getTime());
  const { days, start } = await findStart(client, record, places, newer + offset);
  const earliest = filter.after === null ? null : filter.after.getTime() + 1;
  const until = earliest === null || days.length === 0 ? totalOf(days) : await countFrom(client, record.id, places, earliest);
  const count = Math.max(0, until - newer);
  const wanted = Math.min(limit, count - offset);
  if (start === null || wanted <= 0) return { count, items: [] };
  const rows = await readEntries(client, {
    recordId: record.id,
    kinds,
    bounds: start.bounds,
    earliest: Math.max(earliest ?? 0, oldestNeeded(days, newer + offset + wanted)),
    skip: start.rest,
    limit: wanted,
  });
  return { count, items: rows.map((row) => entryAt(row, 0, record)) };
}

interface Choice {
  readonly kinds: readonly string[] | null;
  readonly places: Places;
}

/** The kinds that fit the filter; null where none does. */
async function chosenKinds(client: pg.ClientBase, recordId: number, filter: LogFilter): Promise<Choice | null> {
  const { types, source } = filter;
  if (types.length === 0 && source === null) return { kinds: null, places: null };
  const all = await findKinds(client, recordId);
  const kinds = all.filter((kind) => {
    const [ofSource, ofType] = kind.split(' ');
    return (source === null || source === ofSource) && (types.length === 0 || types.some((type) => type === ofType));
  });
  if (kinds.length === 0) return null;
  if (kinds.length === all.length) return { kinds: null, places: null };
  return { kinds, places: kinds.map((kind) => all.indexOf(kind) + 1) };
}

function totalOf(days: readonly LogDay[]): number {
  return days.reduce((sum, { matches }) => sum + matches, 0);
}

/** The start of the day that so many newest matches reach back to. */
function oldestNeeded(days: readonly LogDay[], matches: number): number {
  let sum = 0;
  return days.find((day) => (sum += day.matches) >= matches)?.start ?? 0;
}

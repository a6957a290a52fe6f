import { DomainError, logKeyName, startOfDay, type LogEntry } from '@plugin-config/domain';
import type pg from 'pg';
import { columns } from '../postgres/columns.ts';
import { prepared, run } from '../postgres/statement.ts';
import type { LogEdges } from './days/log-days.ts';
import type { Copies } from './tiers/copies.ts';

/** Thrown by a transaction that writes to days without prepared partitions. */
export class UnpreparedDays extends Error {
  override readonly name = 'UnpreparedDays';
  readonly days: readonly number[];

  constructor(days: readonly number[]) {
    super('The partitions of some days are not prepared yet.');
    this.days = days;
  }
}

/** What is known about entries of days that have been copied. */
export interface KnownEntries {
  isStored(entry: LogEntry): boolean;
  /** Returns whether the copies would have to be searched, but are unavailable. */
  isUnknown(entry: LogEntry): boolean;
}

/**
 * Looks up which entries the copies have.
 * @throws UnpreparedDays if the day of an entry has no partition
 */
export type FindLate = (
  client: pg.ClientBase,
  entries: readonly LogEntry[],
  edges: LogEdges,
) => Promise<KnownEntries>;

const NOTHING: KnownEntries = { isStored: () => false, isUnknown: () => false };

const DAY = columns((row) => ({
  day: row.date('day::timestamptz').getTime(),
  run: row.number('run'),
  hasPartition: row.flag('in_postgres'),
}));

const COPIED_OF = prepared('copied_ones_of_log_days')`
  select ${DAY.sql} from log_day where day = any ($1::date[]) and run > 0`;

/** The time of the look-up is limited, since the transaction of the batch is open. */
export function lateFinder({ known }: Pick<Copies, 'known'>): FindLate {
  return async (client, entries, { earliest, copiedUntil }) => {
    const late = entries.filter(
      ({ timestamp }) => timestamp.getTime() >= earliest && timestamp.getTime() < copiedUntil,
    );
    if (late.length === 0) return NOTHING;
    const times = new Set(late.map(({ timestamp }) => startOfDay(timestamp.getTime())));
    const rows = await run(client, COPIED_OF, [[...times].map((day) => new Date(day).toISOString())]);
    const days = rows.map((row) => DAY.read(row));
    const unprepared = days.filter(({ hasPartition }) => !hasPartition);
    if (unprepared.length > 0) throw new UnpreparedDays(unprepared.map(({ day }) => day));
    if (days.length === 0) return NOTHING;
    const starts = new Set(days.map(({ day }) => day));
    const isCopied = ({ timestamp }: LogEntry): boolean => starts.has(startOfDay(timestamp.getTime()));
    try {
      const names = await known(late.filter(isCopied), days);
      return { isStored: (entry) => names.has(logKeyName(entry)), isUnknown: () => false };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error;
      return { isStored: () => false, isUnknown: isCopied };
    }
  };
}

import { DAY_MS, isStorable, type CopiedDay, type LogFilter, type LogRef } from '@plugin-config/domain';
import { dayText, momentText, OF_LOG } from './entry-keys.ts';
import { searchCondition } from './search-condition.ts';

/** The range of times that the server can compare. */
const FIRST = Date.parse('1900-01-01T00:00:00.000Z');
const LAST = Date.parse('2299-12-31T23:59:59.999Z');

/** Returns whether an entry can have this time. */
export function isStorableTime(time: number): boolean {
  return time >= FIRST && time <= LAST;
}

export interface Condition {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface Wanted {
  readonly record: LogRef;
  readonly filter: LogFilter;
  readonly days: readonly CopiedDay[];
}

/** Returns the condition for the wanted entries; null if no entry can match. */
export function conditionOf({ record, filter, days }: Wanted): Condition | null {
  const { types, source, instanceId, after, before, search } = filter;
  const first = Math.max(FIRST, after === null ? FIRST : after.getTime() + 1);
  const last = Math.min(LAST, before === null ? LAST : before.getTime() - 1);
  const within = days.filter(({ day }) => day <= last && day + DAY_MS > first);
  if (first > last || within.length === 0 || (search !== null && !isStorable(search))) return null;
  const searched = search === null ? null : searchCondition(search);
  const parts = [
    OF_LOG,
    `timestamp >= '${momentText(first)}' and timestamp <= '${momentText(last)}'`,
    ofDays(within),
    types.length === 0 ? null : 'type in {types:Array(String)}',
    source === null ? null : 'source = {source:String}',
    instanceId === null ? null : 'instance_id = {instance:UUID}',
    searched?.text ?? null,
  ];
  return {
    text: parts.filter((part) => part !== null).join(' and '),
    parameters: {
      record: record.id,
      project: record.projectId,
      ...(types.length > 0 && { types }),
      ...(source !== null && { source }),
      ...(instanceId !== null && { instance: instanceId }),
      ...searched?.parameters,
    },
  };
}

/** Matches the entries of these days that were copied by a finished run. */
export function ofDays(days: readonly CopiedDay[]): string {
  const byRun = Map.groupBy(days, ({ run }) => run);
  const parts = [...byRun].map(
    ([run, own]) =>
      `(run <= ${run} and toDate(timestamp) in (${own.map(({ day }) => `'${dayText(day)}'`).join(', ')}))`,
  );
  return `(${parts.join(' or ')})`;
}

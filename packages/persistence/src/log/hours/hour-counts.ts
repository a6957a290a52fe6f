import { KINDS } from '../entries/kinds.ts';

export const HOUR_MS = 3_600_000;

export function startOfHour(time: number): number {
  return Math.floor(time / HOUR_MS) * HOUR_MS;
}

/** SQL for the start of the oldest day that is not dropped. */
export const EARLIEST_KEPT = `(select coalesce(max(d.day) + 1, '-infinity')::timestamp at time zone 'UTC' from log_day d where d.dropped)`;

/** SQL for whether a counter is of a day that is not dropped. The counters of dropped days are deleted later, in chunks. */
export const IS_KEPT = (hour: string): string => `${hour}.hour >= ${EARLIEST_KEPT}`;

/** SQL for the count of a kind in a row of `log_hour`. */
export const COUNT_OF = (hour: string, kind: number): string => `${hour}.counts[${kind + 1}]`;

const EVERY_KIND = Array.from({ length: KINDS }, (_, kind) => kind);

/** SQL for the number of entries in a row of `log_hour`, limited to the kinds in the parameter unless it is null. */
export const MATCHES = (hour: string, kinds: string): string => `(
    case when ${kinds}::integer[] is null
    then ${EVERY_KIND.map((kind) => COUNT_OF(hour, kind)).join(' + ')}
    else (select sum(${hour}.counts[k.kind + 1]) from unnest(${kinds}::integer[]) k (kind)) end
  )::bigint`;

/** SQL for the sums of grouped rows of counters. */
export const TOTALS = (hour: string): string =>
  `array[${EVERY_KIND.map((kind) => `sum(${COUNT_OF(hour, kind)})`).join(', ')}]::integer[]`;

/** SQL for the sums of two rows of counters. */
export const SUMS = (a: string, b: string): string =>
  `array[${EVERY_KIND.map((kind) => `${COUNT_OF(a, kind)} + ${COUNT_OF(b, kind)}`).join(', ')}]`;

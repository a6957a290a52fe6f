import { keepPreviousData } from '@tanstack/react-query';
import { recordKey } from '../live/use-family.ts';
import { usePreference } from '../shell/preferences.ts';
import { service } from '../shell/service.ts';
import { formatCount } from '../ui/format.ts';
import { useRead } from '../ui/queries.tsx';
import type { LogProperties } from './log-address.ts';
import { barRangeOf, barsOf, barsText, countsQueryOf, type Bar } from './log-bars.ts';

/** New entries don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** Counts entries by hour or day and by type. Clicking a bar filters by its time. */
export function LogHistogram({ at, address, onChange }: LogProperties) {
  const { types, source } = address;
  const isCounted = countsQueryOf(address, barRangeOf(address, 0)) !== null;
  const { data } = useRead(
    [...recordKey(at), 'log-counts', types, source, address.from, address.to],
    async (options) => {
      const range = barRangeOf(address, Date.now());
      const query = countsQueryOf(address, range) ?? {};
      const { pluginConfigs } = service.project(at.projectId);
      return barsOf(await pluginConfigs.logCounts(at.id, query, options), range);
    },
    { enabled: isCounted, placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  const format = useTimeFormat();
  if (!isCounted) {
    return (
      <p className="hint">The chart counts by type, source and time only, so these filters have none.</p>
    );
  }
  const [first] = data ?? [];
  const last = data?.at(-1);
  if (first === undefined || last === undefined || data?.every(({ count }) => count === 0) !== false)
    return null;
  const narrow = ({ start, end }: Bar): void => {
    const [from = '', to = ''] = [start, end].map((time) => new Date(time).toISOString());
    onChange({ ...address, from, to, entry: null });
  };
  return (
    <>
      <ol ref={scrollToEnd} className="bars log-histogram" aria-label="Entries over time">
        {data.map((bar) => (
          <li key={bar.start}>
            <button
              type="button"
              title={textOf(bar, format)}
              aria-label={textOf(bar, format)}
              disabled={bar.count === 0}
              onClick={() => narrow(bar)}
            >
              {bar.parts.map(({ type, share }) => (
                <span key={type} data-type={type} style={{ height: `${100 * share}%` }} />
              ))}
            </button>
          </li>
        ))}
      </ol>
      <p className="chart-ends hint">
        <span>{format(first.start)}</span>
        <span>{barsText(data)}</span>
        <span>{format(last.end)}</span>
      </p>
    </>
  );
}

/** On a narrow page, the latest bars are shown first. */
const scrollToEnd = (bars: HTMLOListElement | null): void => bars?.scrollTo({ left: bars.scrollWidth });

const TIME = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** Formats times in the zone of the rows below. */
function useTimeFormat(): (time: number) => string {
  const [zone] = usePreference('zone');
  return new Intl.DateTimeFormat('en', { ...TIME, ...(zone === 'utc' && { timeZone: 'UTC' }) }).format;
}

/** Describes a bar in words. */
function textOf({ start, count, parts }: Bar, format: (time: number) => string): string {
  const of = parts.map((part) => `${formatCount(part.count)} ${part.type}`).join(', ');
  return `${format(start)}: ${count === 0 ? 'no entries' : `${formatCount(count)} entries (${of})`}`;
}

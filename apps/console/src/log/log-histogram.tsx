import { keepPreviousData } from '@tanstack/react-query';
import { recordKey } from '../live/use-family.ts';
import { service } from '../shell/service.ts';
import { formatCount } from '../ui/format.ts';
import { useRead } from '../ui/queries.tsx';
import type { LogProperties } from './log-address.ts';
import { barRangeOf, barsOf, countsQueryOf, type Bar } from './log-bars.ts';

/** New entries don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** Counts entries by hour or day and by type. Clicking a bar filters by its time. */
export function LogHistogram({ at, address, onChange }: LogProperties) {
  const { types, source, from, to } = address;
  const isCounted = countsQueryOf(address, barRangeOf(address, 0)) !== null;
  const { data } = useRead(
    [...recordKey(at), 'log-counts', types, source, from, to],
    async (options) => {
      const range = barRangeOf(address, Date.now());
      const query = countsQueryOf(address, range) ?? {};
      const { pluginConfigs } = service.project(at.projectId);
      return barsOf(await pluginConfigs.logCounts(at.id, query, options), range);
    },
    { enabled: isCounted, placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  if (!isCounted || data === undefined || data.every(({ count }) => count === 0)) return null;
  const narrow = ({ start, end }: Bar): void => {
    const [first, last] = [start, end].map((time) => new Date(time).toISOString());
    onChange({ ...address, from: first ?? '', to: last ?? '', entry: null });
  };
  return (
    <ol ref={scrollToEnd} className="bars log-histogram" aria-label="Entries over time">
      {data.map((bar) => (
        <li key={bar.start}>
          <button
            type="button"
            title={textOf(bar)}
            aria-label={textOf(bar)}
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
  );
}

/** On a narrow page, the latest bars are shown first. */
const scrollToEnd = (bars: HTMLOListElement | null): void => bars?.scrollTo({ left: bars.scrollWidth });

const TIME = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** Describes a bar in words. */
function textOf({ start, count, parts }: Bar): string {
  const of = parts.map((part) => `${formatCount(part.count)} ${part.type}`).join(', ');
  return `${TIME.format(start)}: ${count === 0 ? 'no entries' : `${formatCount(count)} entries (${of})`}`;
}

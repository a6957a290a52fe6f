import { ChartColumn } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Tabs } from '../shell/heading.tsx';
import { formatCount } from '../ui/format.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import {
  FIGURES,
  rangeOf,
  slotsOf,
  spanOf,
  SPANS,
  sumOf,
  totalOf,
  type Figure,
  type Slot,
  type Span,
} from './slots.ts';

/** Delivery reports don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;
const FIGURE_NAMES = Object.keys(FIGURES) as readonly Figure[];

/** The deliveries of a plugin over time, as a chart and a table. */
export function Deliveries({ at }: { readonly at: RecordRef }) {
  const [search] = useSearchParams();
  const name = spanOf(search.get('span'));
  const span = SPANS[name];
  const pathOf = (one: string): string => `${recordPath(at)}/deliveries?span=${one}`;
  const query = useRead(
    [...recordKey(at), 'deliveries', name],
    async (options) => {
      const range = rangeOf(span, Date.now());
      const { granularity } = span;
      const results = await recordsOf(at).deliveries(at.id, { ...range, granularity }, options);
      return slotsOf(results, span, range.from);
    },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <Tabs
        label="Time range"
        isMinor
        tabs={Object.entries(SPANS).map(([one, { title }]) => [pathOf(one), title])}
        current={pathOf(name)}
      />
      <QueryResult query={query} what="deliveries">
        {(slots) =>
          slots.every(({ bucket }) => bucket === null) ? (
            <Empty icon={ChartColumn} title={`No deliveries in the last ${span.title}`}>
              <p>
                Plugins report deliveries to the worker: send <code>POST /ingest</code> with a line that has{' '}
                <code>"kind": "delivery"</code>.
              </p>
            </Empty>
          ) : (
            <section className="panel">
              <dl className="sums">
                {FIGURE_NAMES.map((figure) => (
                  <div key={figure} className={figure}>
                    <dt>{FIGURES[figure]}</dt>
                    <dd>{formatCount(sumOf(slots, figure))}</dd>
                  </div>
                ))}
              </dl>
              <Chart slots={slots} span={span} />
              <FigureTable slots={slots} span={span} />
            </section>
          )
        }
      </QueryResult>
    </>
  );
}

interface Properties {
  readonly slots: readonly Slot[];
  readonly span: Span;
}

/** A bar for each bucket: failures at the bottom, then deliveries on retry, then deliveries at once. */
function Chart({ slots, span }: Properties) {
  const most = Math.max(1, ...slots.map(({ bucket }) => (bucket === null ? 0 : totalOf(bucket))));
  const label = new Intl.DateTimeFormat('en', span.label);
  return (
    <div
      className="bars deliveries-chart"
      role="img"
      aria-label={`Deliveries in the last ${span.title}. The table below has the figures.`}
    >
      {slots.map(({ start, bucket }, index) => (
        <div key={start} className={bucket?.complete === false ? 'incomplete' : ''}>
          {bucket !== null &&
            FIGURE_NAMES.toReversed().map((figure) => (
              <span key={figure} className={figure} style={{ height: `${(100 * bucket[figure]) / most}%` }} />
            ))}
          {index % span.labelEvery === 0 && <small>{label.format(start)}</small>}
        </div>
      ))}
    </div>
  );
}

const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** Days are UTC days. */
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The figures of the chart, newest first. */
function FigureTable({ slots, span }: Properties) {
  const isByDay = span.granularity === 'day';
  return (
    <details>
      <summary>Show as table</summary>
      <Table
        columns={[isByDay ? 'Day (UTC)' : 'From', ...Object.values(FIGURES)]}
        rows={slots
          .toReversed()
          .map(({ start, bucket }) => [
            (isByDay ? DAY : HOUR).format(start) + (bucket?.complete === false ? ' (in progress)' : ''),
            ...FIGURE_NAMES.map((figure) => (bucket === null ? 'no data' : formatCount(bucket[figure]))),
          ])}
      />
    </details>
  );
}

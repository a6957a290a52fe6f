import { ChartColumn } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Tabs } from '../shell/heading.tsx';
import { formatCount } from '../ui/format.ts';
import { QueryResult } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { DeliveryChart, FIGURE_NAMES } from './delivery-chart.tsx';
import { FIGURES, spanOf, SPANS, sumOf, type Slot, type Span } from './slots.ts';
import { useDeliveries } from './use-deliveries.ts';

/** The deliveries of a plugin over time, as a chart and a table. */
export function Deliveries({ at }: { readonly at: RecordRef }) {
  const [search] = useSearchParams();
  const name = spanOf(search.get('span'));
  const span = SPANS[name];
  const pathOf = (one: string): string => `${recordPath(at)}/deliveries?span=${one}`;
  const query = useDeliveries(at, name);
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
            <Empty icon={ChartColumn} guide="api.md" title={`No deliveries in the last ${span.title}`}>
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
                    <dd className="figure">{formatCount(sumOf(slots, figure))}</dd>
                  </div>
                ))}
              </dl>
              <DeliveryChart
                slots={slots}
                span={span}
                label={`Deliveries in the last ${span.title}. The table below has the figures.`}
              />
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

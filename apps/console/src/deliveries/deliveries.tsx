import { ChartColumn, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { REPLAY, replayPath } from '../jobs/run-address.ts';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { pluginInfoOf } from '../record/plugin-info.ts';
import type { ScreenProperties } from '../record/use-record.ts';
import { useMayConfigure, useMayRead } from '../session/session.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Tabs } from '../shell/heading.tsx';
import { formatCount } from '../ui/format.ts';
import { QueryResult, useRead } from '../ui/queries.tsx';
import { Empty } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { DeliveryChart, FIGURE_NAMES } from './delivery-chart.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import {
  FIGURES,
  rangeOf,
  slotsOf,
  spanOf,
  SPANS,
  sumOf,
  type Slot,
  type Span,
  type SpanName,
} from './slots.ts';

/** Delivery reports don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** The deliveries of a record over a span that ends now. */
function useDeliveries(at: RecordRef, name: SpanName) {
  const span = SPANS[name];
  return useRead(
    [...recordKey(at), 'deliveries', name],
    async (options) => {
      const range = rangeOf(span, Date.now());
      const { granularity } = span;
      const results = await recordsOf(at).deliveries(at.id, { ...range, granularity }, options);
      return slotsOf(results, span, range.from);
    },
    { refetchInterval: REFRESH_MS },
  );
}

/** The deliveries of a plugin over time, as a chart and a table. */
export function Deliveries({ at, record }: ScreenProperties) {
  const [search] = useSearchParams();
  const mayConfigure = useMayConfigure();
  const mayRead = useMayRead(at.projectId);
  const canReplay = mayConfigure && pluginInfoOf(record)?.jobs?.some(({ type }) => type === REPLAY) === true;
  /** A link to replay the failed deliveries of some slots; `when` completes its name. */
  const replayOf: Properties['replayOf'] = (shown, when, isSmall = false) => {
    const [first, last] = [shown[0], shown.at(-1)];
    if (!canReplay || first === undefined || last === undefined || sumOf(shown, 'failures') === 0)
      return null;
    return (
      <Link
        href={replayPath(at, first.start, last.start + span.bucketMs)}
        className={`button small ${isSmall ? 'quiet icon' : ''}`}
        aria-label={`Replay ${when}`}
        title={`Replay ${when}`}
      >
        <RotateCw />
        {!isSmall && 'Replay'}
      </Link>
    );
  };
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
            <Empty
              icon={ChartColumn}
              title={`No deliveries in the last ${span.title}`}
              {...(mayRead && { guide: 'api/ingestion.md' })}
            >
              {mayRead && (
                <p>
                  Plugins report deliveries to the worker: send <code>POST /ingest</code> with a line that has{' '}
                  <code>"kind": "delivery"</code>.
                </p>
              )}
            </Empty>
          ) : (
            <div className="stack">
              <section className="panel">
                <dl className="sums">
                  {FIGURE_NAMES.map((figure) => (
                    <div key={figure} className={figure}>
                      <dt>{FIGURES[figure]}</dt>
                      <dd className="figure with-icon">
                        {formatCount(sumOf(slots, figure))}
                        {figure === 'failures' && replayOf(slots, `the last ${span.title}`)}
                      </dd>
                    </div>
                  ))}
                </dl>
                <DeliveryChart
                  slots={slots}
                  span={span}
                  label={`Deliveries in the last ${span.title}. The table below has the figures.`}
                />
                <FigureTable slots={slots} span={span} replayOf={replayOf} />
              </section>
              {sumOf(slots, 'failures') > 0 && <FailedDeliveries key={name} at={at} span={name} />}
            </div>
          )
        }
      </QueryResult>
    </>
  );
}

interface Properties {
  readonly slots: readonly Slot[];
  readonly span: Span;
  readonly replayOf: (slots: readonly Slot[], when: string, isSmall?: boolean) => ReactNode;
}

const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** Days are UTC days. */
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The figures of the chart, newest first. */
function FigureTable({ slots, span, replayOf }: Properties) {
  const isByDay = span.granularity === 'day';
  const format = isByDay ? DAY : HOUR;
  return (
    <details>
      <summary>Show as table</summary>
      <Table
        columns={[isByDay ? 'Day (UTC)' : 'From', ...Object.values(FIGURES)]}
        rows={slots.toReversed().map((slot) => {
          const { start, bucket } = slot;
          const when = format.format(start);
          return [
            when + (bucket?.complete === false ? ' (in progress)' : ''),
            ...FIGURE_NAMES.map((figure) => (
              <>
                {bucket === null ? 'no data' : formatCount(bucket[figure])}{' '}
                {figure === 'failures' && replayOf([slot], when, true)}
              </>
            )),
          ];
        })}
      />
    </details>
  );
}

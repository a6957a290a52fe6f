import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { recordKey, recordsOf } from '../live/use-family.ts';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { Empty } from '../ui/empty.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { formatCount } from '../ui/format-count.ts';
import { Loading } from '../ui/loading.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { rangeOf, slotsOf, spanOf, SPANS, sumsOf, type SpanName } from './slots.ts';
import './deliveries.css';

/** Delivery reports don't change records, so the stream doesn't send them. */
const REFRESH_MS = 15_000;

/** The deliveries of a plugin over time, as a chart and a table. */
export function Deliveries({ at }: { readonly at: RecordRef }) {
  const [search] = useSearchParams();
  const name = spanOf(search.get('span'));
  const span = SPANS[name];
  const { data, error, refetch } = useQuery({
    queryKey: [...recordKey(at), 'deliveries', name],
    queryFn: async ({ signal }) => {
      const range = rangeOf(span, Date.now());
      const query = { ...range, granularity: span.granularity };
      const results = await recordsOf(at).deliveries(at.id, query, { signal });
      return {
        slots: slotsOf(results, span, range.from),
        sums: sumsOf(results),
        isEmpty: results.length === 0,
      };
    },
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <nav aria-label="Time range" className="tabs">
        {(Object.keys(SPANS) as readonly SpanName[]).map((one) => (
          <Link
            key={one}
            href={`${recordPath(at)}/deliveries?span=${one}`}
            aria-current={one === name ? 'page' : undefined}
          >
            {SPANS[one].title}
          </Link>
        ))}
      </nav>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading what="deliveries" />}
      {data?.isEmpty === true && (
        <Empty title={`No deliveries in the last ${span.title}`}>
          <p>
            Plugins report deliveries to the worker: send <code>POST /ingest</code> with a line that has{' '}
            <code>"kind": "delivery"</code>.
          </p>
        </Empty>
      )}
      {data?.isEmpty === false && (
        <>
          <dl className="sums">
            <div className="succeeded">
              <dt>Delivered</dt>
              <dd>{formatCount(data.sums.successes)}</dd>
            </div>
            <div className="retried">
              <dt>Delivered on retry</dt>
              <dd>{formatCount(data.sums.successes_on_retry)}</dd>
            </div>
            <div className="failed">
              <dt>Failed</dt>
              <dd>{formatCount(data.sums.failures)}</dd>
            </div>
          </dl>
          <DeliveryChart slots={data.slots} span={span} title={`Deliveries in the last ${span.title}`} />
          <DeliveryTable slots={data.slots} span={span} />
        </>
      )}
    </>
  );
}

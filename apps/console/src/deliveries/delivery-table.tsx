import { formatCount } from '../ui/format-count.ts';
import type { Slot, Span } from './slots.ts';

const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** Days are UTC days. */
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

interface Properties {
  readonly slots: readonly Slot[];
  readonly span: Span;
}

/** The figures of the chart, newest first. */
export function DeliveryTable({ slots, span }: Properties) {
  const isByDay = span.granularity === 'day';
  return (
    <details className="deliveries-table">
      <summary>Show as table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{isByDay ? 'Day (UTC)' : 'From'}</th>
            <th scope="col">Delivered</th>
            <th scope="col">On retry</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {slots.toReversed().map(({ start, bucket }) => (
            <tr key={start}>
              <th scope="row">
                {(isByDay ? DAY : HOUR).format(start)}
                {bucket?.complete === false && ' (in progress)'}
              </th>
              {bucket === null ? (
                <td colSpan={3}>no data</td>
              ) : (
                <>
                  <td>{formatCount(bucket.successes)}</td>
                  <td>{formatCount(bucket.successes_on_retry)}</td>
                  <td>{formatCount(bucket.failures)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

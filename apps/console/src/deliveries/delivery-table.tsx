import { figure } from '../ui/figure.ts';
import type { Slot, Span } from './slots.ts';

const HOUR = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
/** A day is a day of UTC, so it is named as one. */
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
      <summary>All figures as a table</summary>
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
                {bucket?.complete === false && ' (not over yet)'}
              </th>
              {bucket === null ? (
                <td colSpan={3}>nothing reported</td>
              ) : (
                <>
                  <td>{figure(bucket.successes)}</td>
                  <td>{figure(bucket.successes_on_retry)}</td>
                  <td>{figure(bucket.failures)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

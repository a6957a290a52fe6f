import { ticksOf } from './ticks.ts';
import { totalOf, type Slot, type Span } from './slots.ts';

const WIDTH = 1000;
const HEIGHT = 200;
const GAP_SHARE = 0.2;

interface Properties {
  readonly slots: readonly Slot[];
  readonly span: Span;
  readonly title: string;
}

/** A bar for each bucket: failures at the bottom, then deliveries on retry, then deliveries at once. */
export function DeliveryChart({ slots, span, title }: Properties) {
  const most = Math.max(1, ...slots.map(({ bucket }) => (bucket === null ? 0 : totalOf(bucket))));
  const step = WIDTH / slots.length;
  return (
    <>
      <svg
        className="deliveries-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}. The table below has the figures.`}
      >
        {slots.map(({ start, bucket }, index) => {
          const x = index * step;
          const width = step * (1 - GAP_SHARE);
          if (bucket === null) {
            return <rect key={start} className="gap" x={x} y={HEIGHT - 2} width={width} height={2} />;
          }
          const { failures, successes_on_retry: onRetry, successes } = bucket;
          const heightOf = (count: number): number => (count / most) * HEIGHT;
          const [failed, retried, succeeded] = [heightOf(failures), heightOf(onRetry), heightOf(successes)];
          return (
            <g key={start} className={bucket.complete ? '' : 'incomplete'}>
              <rect className="failed" x={x} y={HEIGHT - failed} width={width} height={failed} />
              <rect className="retried" x={x} y={HEIGHT - failed - retried} width={width} height={retried} />
              <rect
                className="succeeded"
                x={x}
                y={HEIGHT - failed - retried - succeeded}
                width={width}
                height={succeeded}
              />
            </g>
          );
        })}
      </svg>
      <p className="deliveries-axis" aria-hidden="true">
        {ticksOf(slots, span).map(({ at, text }) => (
          <span key={at} style={{ left: `${100 * at}%` }}>
            {text}
          </span>
        ))}
      </p>
    </>
  );
}

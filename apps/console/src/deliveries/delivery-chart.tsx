import { FIGURES, totalOf, type Figure, type Slot, type Span } from './slots.ts';

export const FIGURE_NAMES = Object.keys(FIGURES) as readonly Figure[];

interface Properties {
  readonly slots: readonly Slot[];
  readonly span: Span;
  /** Describes the chart, and says where its figures are. */
  readonly label: string;
}

/** A bar for each bucket: failures at the bottom, then deliveries on retry, then first-attempt deliveries. */
export function DeliveryChart({ slots, span, label }: Properties) {
  const most = Math.max(1, ...slots.map(({ bucket }) => (bucket === null ? 0 : totalOf(bucket))));
  const time = new Intl.DateTimeFormat('en', span.label);
  return (
    <div className="bars deliveries-chart" role="img" aria-label={label}>
      {slots.map(({ start, bucket }, index) => (
        <div key={start} className={bucket?.complete === false ? 'incomplete' : ''}>
          {bucket !== null &&
            FIGURE_NAMES.toReversed().map((figure) => (
              <span key={figure} className={figure} style={{ height: `${(100 * bucket[figure]) / most}%` }} />
            ))}
          {index % span.labelEvery === 0 && <small>{time.format(start)}</small>}
        </div>
      ))}
    </div>
  );
}

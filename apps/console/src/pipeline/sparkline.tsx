import { formatCount } from '../ui/format.ts';
import { barPaths, HEIGHT } from './bar-paths.ts';
import type { RecordDeliveries } from './use-recent-deliveries.ts';

const sumOf = (counts: readonly number[]): string =>
  formatCount(counts.reduce((sum, count) => sum + count, 0));

/** A bar for each of the last 24 hours. */
export function Sparkline({ deliveries }: { readonly deliveries: RecordDeliveries }) {
  const { width, successes, failures } = barPaths(deliveries);
  return (
    <svg className="sparkline" role="img" width={width} height={HEIGHT}>
      <title>{`${sumOf(deliveries.successes)} delivered, ${sumOf(deliveries.failures)} failed in 24 hours`}</title>
      <path className="failures" d={failures} />
      <path className="successes" d={successes} />
    </svg>
  );
}

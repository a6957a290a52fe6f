import { markdownTable } from '../markdown-table.ts';
import type { Row } from './http-bench.ts';

const HEADER = ['what', 'connections', 'service/s', 'limit/s', 'bare/s', 'ratio', 'goal', 'failed'];

/** Formats medians in requests per second, and the median of the ratios. */
export function httpTable(rows: readonly Row[]): string {
  return markdownTable(
    HEADER,
    rows.map(({ scenario, connections, service, limit, bare, ratio, failed }) => [
      scenario.name,
      connections,
      Math.round(service),
      Math.round(limit),
      Math.round(bare),
      `${ratio.toFixed(2)} of ${scenario.reference}`,
      scenario.goal[connections]?.toFixed(2) ?? '',
      failed,
    ]),
  );
}

import type { Part } from '../part.ts';
import { markdownTable } from '../markdown-table.ts';
import { benchHttp, type Row } from './http-bench.ts';

/** Measures the requests per second of the service, the framework alone and a hand-written server. */
export const httpPart: Part = async (options) => {
  const { rows, residentMb } = await benchHttp(options);
  return {
    text: `${httpTable(rows)}\n\nHTTP process after the load: ${Math.round(residentMb)} MB resident`,
    errors: rows.reduce((sum, { failed }) => sum + failed, 0),
  };
};

const HEADER = ['what', 'connections', 'service/s', 'limit/s', 'bare/s', 'ratio', 'goal', 'failed'];

/** Formats the median requests per second and the median ratios. */
function httpTable(rows: readonly Row[]): string {
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

import type { Row } from './http-bench.ts';

/** Medians in requests a second, and what part of the reference that is. */
export function httpTable(rows: readonly Row[]): string {
  const lines = rows.map(({ scenario, connections, service, limit, bare, failed }) => {
    const reference = scenario.reference === 'limit' ? limit : bare;
    return [
      scenario.name,
      connections,
      Math.round(service),
      Math.round(limit),
      Math.round(bare),
      `${(service / reference).toFixed(2)} of ${scenario.reference}`,
      scenario.goal[connections]?.toFixed(2),
      failed,
    ].join(' | ');
  });
  return [
    'what | connections | service/s | limit/s | bare/s | ratio | goal | failed',
    '--- | ---: | ---: | ---: | ---: | --- | ---: | ---:',
    ...lines,
  ]
    .map((line) => `| ${line} |`)
    .join('\n');
}

import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchAlerts } from './alerts-bench.ts';

/** Measures what one evaluation of ten alerts on 10,000 records costs, and how a tenant with 1,000 alerts delays another one. */
export const alertsPart: Part = async (options) => {
  const { evaluated, thousand, beside, failed } = await benchAlerts(options);
  const rows = [
    ...evaluated.map(({ name, seconds, database }) => [
      `10 alerts on 10,000 records: ${name} (s, CPU of PostgreSQL)`,
      `${seconds.toFixed(2)}, ${database.toFixed(2)}`,
      '<= 5',
    ]),
    ['1,000 alerts of 10 projects on 100 records each (s)', median(thousand).toFixed(2), '< 60'],
    ['until the only alert of another project is evaluated beside them (s)', median(beside).toFixed(2), ''],
    ['failed evaluations', failed, '0'],
  ];
  return { text: markdownTable(['alerts', 'result', 'goal'], rows), errors: failed };
};

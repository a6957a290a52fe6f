import { findProgram } from '../../../../tools/programs.ts';
import { markdownTable } from '../markdown-table.ts';
import { reportPages } from '../log-pages/log-pages-part.ts';
import type { Part } from '../part.ts';
import { benchClickHouse } from './clickhouse-bench.ts';

/** Measures the archive of logs in ClickHouse. */
export const clickHousePart: Part = async (options) => {
  if (findProgram('chdb') === undefined) return { text: 'ClickHouse: chdb is not installed.', errors: 0 };
  const { archived, due, seconds, storeCpu, bytesPerEntry, pages } = await benchClickHouse(options);
  const pageReport = reportPages(pages);
  const archiveRow = [
    Math.round(archived / seconds),
    ((storeCpu / archived) * 1e6).toFixed(1),
    bytesPerEntry.postgres.toFixed(0),
    bytesPerEntry.clickHouse.toFixed(0),
  ];
  return {
    text: [
      `Archiving ${archived} entries:`,
      markdownTable(
        ['entries/s', 'store CPU µs per entry', 'bytes per entry in PostgreSQL', 'in ClickHouse'],
        [archiveRow],
      ),
      `Pages of logs of ${options.table / 10} entries, whose ended days are archived and merged:`,
      pageReport.text,
    ].join('\n\n'),
    errors: Number(archived !== due) + pageReport.errors,
  };
};

import { findProgram } from '../../../../tools/programs.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Part } from '../part.ts';
import { benchClickHouse } from './clickhouse-bench.ts';

/** Measures the archive of logs in ClickHouse. */
export const clickHousePart: Part = async (options) => {
  if (findProgram('chdb') === undefined) return { text: 'ClickHouse: chdb is not installed.', wrong: 0 };
  const { archived, due, seconds, storeCpu, bytesPerEntry, pages } = await benchClickHouse(options);
  const pageRows = pages.map(({ query, milliseconds, wrong }) => [
    query,
    milliseconds.toFixed(1),
    query.startsWith('search') ? '< 250' : '< 60',
    wrong,
  ]);
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
      `Pages of a log of ${options.table / 10} entries, whose ended days are archived and merged:`,
      markdownTable(['page', 'ms', 'goal', 'wrong'], pageRows),
    ].join('\n\n'),
    wrong: Number(archived !== due) + pages.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};

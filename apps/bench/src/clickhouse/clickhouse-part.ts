import { findProgram } from '../../../../tools/programs.ts';
import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { benchClickHouse, type ClickHouseResult } from './clickhouse-bench.ts';

/** Measures ClickHouse as the store of the logs, beside PostgreSQL. */
export const clickHousePart: Part = async (options) => {
  if (findProgram('chdb') === undefined) return { text: 'ClickHouse: chdb is not installed.', wrong: 0 };
  const { rounds, pages } = await benchClickHouse(options);
  const wrongRuns = rounds
    .flatMap(({ postgres, clickHouse }) => [postgres, clickHouse])
    .filter(({ stored }) => stored !== options.entries);
  const pageRows = pages.map(({ query, milliseconds, wrong }) => [
    query,
    milliseconds.toFixed(1),
    query.startsWith('search') ? '< 250' : '< 60',
    wrong,
  ]);
  return {
    text: [
      storesTable(rounds, options.entries),
      `Pages of a log of ${options.table / 10} entries, in ClickHouse, whose days are merged:`,
      markdownTable(['page', 'ms', 'goal', 'wrong'], pageRows),
    ].join('\n\n'),
    wrong: wrongRuns.length + pages.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};

function storesTable(rounds: ClickHouseResult['rounds'], entries: number): string {
  const ratio = (of: (run: ClickHouseResult['rounds'][number]['postgres']) => number): string =>
    median(rounds.map(({ postgres, clickHouse }) => of(clickHouse) / of(postgres))).toFixed(2);
  const rows = (['postgres', 'clickHouse'] as const).map((name) => {
    const runs = rounds.map((round) => round[name]);
    return [
      name === 'postgres' ? 'PostgreSQL' : 'ClickHouse',
      Math.round(entries / median(runs.map(({ seconds }) => seconds))),
      ((median(runs.map(({ storeCpu }) => storeCpu)) / entries) * 1e6).toFixed(1),
      median(runs.map(({ bytesPerEntry }) => bytesPerEntry)).toFixed(0),
    ];
  });
  return [
    markdownTable(['HTTP push into', 'entries/s', 'store CPU µs per entry', 'bytes on disk per entry'], rows),
    `ClickHouse to PostgreSQL in the same round: ${ratio(({ seconds }) => seconds)} of the time (goal <= 1), ${ratio(({ storeCpu }) => storeCpu)} of the stores' CPU (goal < 1).`,
  ].join('\n\n');
}

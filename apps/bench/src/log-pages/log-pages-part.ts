import { markdownTable } from '../markdown-table.ts';
import type { Part, PartReport } from '../part.ts';
import { benchLogPages, type PageResult } from './log-pages-bench.ts';

/** Measures how long it takes to search long logs, and to read pages at several offsets. */
export const logPagesPart: Part = async (options) => reportPages(await benchLogPages(options));

export function reportPages(results: readonly PageResult[]): PartReport {
  const rows = results.map(({ log, query, milliseconds, wrong }) => [
    query,
    log,
    milliseconds.toFixed(2),
    wrong,
  ]);
  return {
    text: markdownTable(['page', 'log', 'ms', 'wrong'], rows),
    wrong: results.reduce((sum, { wrong }) => sum + wrong, 0),
  };
}

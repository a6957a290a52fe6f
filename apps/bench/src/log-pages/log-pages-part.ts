import { markdownTable } from '../markdown-table.ts';
import type { Part, PartReport } from '../part.ts';
import { benchLogPages, type PageResult } from './log-pages-bench.ts';

/** Measures how long it takes to search long logs, and to read pages at several offsets. */
export const logPagesPart: Part = async (options) => reportPages(await benchLogPages(options));

export function reportPages(results: readonly PageResult[]): PartReport {
  const rows = results.map(({ log, query, milliseconds, errors }) => [
    query,
    log,
    milliseconds.toFixed(2),
    errors,
  ]);
  return {
    text: markdownTable(['page', 'log', 'ms', 'errors'], rows),
    errors: results.reduce((sum, { errors }) => sum + errors, 0),
  };
}

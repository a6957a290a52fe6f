import { markdownTable } from '../markdown-table.ts';
import type { Part } from '../part.ts';
import { benchLogPages } from './log-pages-bench.ts';

/** Measures how long pages at several offsets of a long log take. */
export const logPagesPart: Part = async (options) => {
  const results = await benchLogPages(options);
  const first = results[0]?.milliseconds ?? Number.NaN;
  const rows = results.map(({ query, milliseconds, wrong }) => [
    query,
    milliseconds.toFixed(2),
    '< 10',
    (milliseconds / first).toFixed(2),
    '<= 2',
    wrong,
  ]);
  return {
    text: markdownTable(['page', 'ms', 'goal', 'of the first', 'goal', 'wrong'], rows),
    wrong: results.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};

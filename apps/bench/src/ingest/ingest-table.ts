import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { IngestResult } from './ingest-bench.ts';

const HEADER = ['path', 'entries/s', 'ratio', 'goal', 'peak MB', 'goal', 'wrong'];

/** Formats medians, the highest peak, and the ratio to the reference in the same round. */
export function ingestTable({ copySeconds, paths }: IngestResult, entries: number): string {
  const perSecond = (seconds: readonly number[]): number => Math.round(entries / median(seconds));
  const rows = paths.map(({ name, goal, runs, wrong }) => [
    name,
    perSecond(runs.map(({ seconds }) => seconds)),
    median(runs.map(({ seconds }, round) => (copySeconds[round] ?? Number.NaN) / seconds)).toFixed(2),
    goal.toFixed(2),
    Math.round(Math.max(...runs.map(({ peakMb }) => peakMb))),
    '< 300',
    wrong,
  ]);
  return markdownTable(HEADER, [['copy', perSecond(copySeconds), '1.00', '', '', '', ''], ...rows]);
}

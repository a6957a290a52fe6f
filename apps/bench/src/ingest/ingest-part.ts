import { findProgram } from '../../../../tools/programs.ts';
import { markdownTable } from '../markdown-table.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { psqlVersion } from './copy-rows.ts';
import { benchIngest, type IngestResult } from './ingest-bench.ts';
import { RECORDS } from './write-entries.ts';

/** Measures entries per second end to end, and for comparison a `copy` of the same rows into a plain table. */
export const ingestPart: Part = async (options) => {
  const result = await benchIngest(options);
  const lines = [
    `${options.entries} entries over ${RECORDS} records, rows of about 250 bytes. Copied by ${(await psqlVersion()) ?? 'the driver, because psql is not installed'}.`,
    'The clock runs, for HTTP, from the first push to the last response; for a file, from the start of the process to its end;',
    'for JetStream, from the first delivery to the last acknowledgement.',
    ...(findProgram('nats-server') === undefined
      ? ['nats-server is not installed: JetStream was not measured.']
      : []),
  ];
  return {
    text: `${ingestTable(result, options.entries)}\n\n${lines.join('\n')}`,
    errors: result.paths.reduce((sum, { errors }) => sum + errors, 0),
  };
};

const HEADER = ['path', 'entries/s', 'ratio', 'goal', 'peak MB', 'goal', 'errors'];

/** Formats medians, the highest peak, and the median ratio to the reference in the same round. */
function ingestTable({ copySeconds, paths }: IngestResult, entries: number): string {
  const perSecond = (seconds: readonly number[]): number => Math.round(entries / median(seconds));
  const rows = paths.map(({ name, goal, runs, errors }) => [
    name,
    perSecond(runs.map(({ seconds }) => seconds)),
    median(runs.map(({ seconds }, round) => (copySeconds[round] ?? Number.NaN) / seconds)).toFixed(2),
    goal.toFixed(2),
    Math.round(Math.max(...runs.map(({ peakMb }) => peakMb))),
    '< 300',
    errors,
  ]);
  return markdownTable(HEADER, [['copy', perSecond(copySeconds), '1.00', '', '', '', ''], ...rows]);
}

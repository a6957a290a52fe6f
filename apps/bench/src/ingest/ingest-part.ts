import { findProgram } from '../../../../tools/programs.ts';
import type { Part } from '../part.ts';
import { psqlVersion } from './copy-rows.ts';
import { benchIngest } from './ingest-bench.ts';
import { ingestTable } from './ingest-table.ts';
import { RECORDS } from './write-entries.ts';

/** Measures entries per second from end to end, and `copy` of the same rows into a plain table. */
export const ingestPart: Part = async (options) => {
  const result = await benchIngest(options);
  const lines = [
    `${options.entries} entries over ${RECORDS} records, rows of about 250 bytes. Copied by ${(await psqlVersion()) ?? 'the driver, there being no psql'}.`,
    'The clock: HTTP from the first push to the last answer; file from the start of the process to its end;',
    'JetStream from the first delivery to the last acknowledgement.',
    ...(findProgram('nats-server') === undefined
      ? ['nats-server is not installed: JetStream is left out.']
      : []),
  ];
  return {
    text: `${ingestTable(result, options.entries)}\n\n${lines.join('\n')}`,
    wrong: result.paths.reduce((sum, { wrong }) => sum + wrong, 0),
  };
};

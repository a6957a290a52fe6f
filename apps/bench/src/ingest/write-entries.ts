import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleMessage } from '../sample-message.ts';

export const RECORDS = 200;

/** Files with the same entries in the formats of the service and of `copy`. */
export interface EntryFiles {
  readonly entries: number;
  /** NDJSON. */
  readonly lines: string;
  /** Rows in the text format of `copy`, with `ROW_COLUMNS`. */
  readonly rows: string;
}

export const ROW_COLUMNS = 'id, plugin_config_id, timestamp, source, type, message, instance_id';

const DAY_MS = 86_400_000;
const CHUNK = 10_000;
const TYPES = ['LOG', 'INFO', 'LOG', 'INFO', 'LOG', 'INFO', 'LOG', 'DEBUG', 'WARN', 'ERROR'];

/** Writes entries of the last day for random records, with new ids and sorted by time. A row has about 250 bytes. */
export async function writeEntries(folder: string, entries: number): Promise<EntryFiles> {
  const files = { entries, lines: join(folder, 'entries.ndjson'), rows: join(folder, 'entries.tsv') };
  await using lines = await open(files.lines, 'w');
  await using rows = await open(files.rows, 'w');
  const instance = randomUUID();
  const start = Date.now() - DAY_MS;
  for (let from = 0; from < entries; from += CHUNK) {
    const some = Array.from({ length: Math.min(CHUNK, entries - from) }, (_, i) =>
      entryOf(from + i, start + ((from + i) / entries) * DAY_MS, instance),
    );
    await lines.writeFile(some.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await rows.writeFile(some.map((entry) => `${Object.values(entry).join('\t')}\n`).join(''));
  }
  return files;
}

function entryOf(number: number, time: number, instance: string) {
  return {
    id: randomUUID(),
    plugin_config_id: 1 + Math.floor(Math.random() * RECORDS),
    timestamp: new Date(time).toISOString(),
    source: 'PLUGIN',
    type: TYPES[number % TYPES.length],
    message: sampleMessage(number),
    instance_id: instance,
  };
}

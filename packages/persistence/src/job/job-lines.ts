import { FAMILY, logLine, type JobLine, type Randomness, type RecordRef } from '@plugin-config/domain';
import type pg from 'pg';
import { appendEntries } from '../log/append-entries.ts';

/** Who writes lines into the logs. */
export interface LineWriter {
  readonly randomness: Randomness;
  /** The worker's own. */
  readonly instanceId: string;
}

interface Told {
  readonly record: RecordRef & { readonly plugin: number };
  readonly at: Date;
  readonly lines: readonly JobLine[];
}

/**
 * Writes what is told of a job within a transaction that began as one that writes logs does, where its record has a
 * log. At one moment a log is ordered by ids, hence the ids go up with the lines.
 */
export async function writeJobLines(
  client: pg.ClientBase,
  { randomness, instanceId }: LineWriter,
  { record, at, lines }: Told,
): Promise<void> {
  if (!FAMILY[record.family].hasLog || lines.length === 0) return;
  const ids = lines.map(() => randomness.uuid()).toSorted();
  const entries = lines.map((line, i) =>
    logLine({ ...line, id: ids[i] ?? '', record, timestamp: at, instanceId }),
  );
  await appendEntries(client, entries);
}

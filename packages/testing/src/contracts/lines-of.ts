import { drainOutbox, type JobLine, type RecordRef } from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { EVERY } from './log-of.ts';
import { WHOLE } from './read-state.ts';

/** Reads the lines that jobs have written to the log of a record, oldest first. */
export async function linesOf({ outbox, logs }: Ports, record: RecordRef): Promise<readonly JobLine[]> {
  while ((await drainOutbox({ outbox, log: logs })) > 0);
  const { items } = await logs.page(record, EVERY, WHOLE);
  return items.map(({ type, message }) => ({ type, message })).toReversed();
}

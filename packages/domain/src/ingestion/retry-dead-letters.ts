import type { DeadLetter } from '../dead-letter/dead-letter.ts';
import type { DeadLetterStore } from '../dead-letter/dead-letter-store.ts';
import { ingest } from './ingest.ts';
import type { Outcome } from './ingest-report.ts';
import type { IngestionStores } from './ingestion-stores.ts';
import type { Message } from '../message/message.ts';

interface Dependencies {
  readonly letters: DeadLetterStore;
  readonly stores: IngestionStores;
  /** Reads the texts of dead letters again, as of now. */
  readonly readAgain: (letters: readonly DeadLetter[]) => readonly Message[];
}

const MOST_AT_ONCE = 200;

/**
 * Another try of these dead letters, or of all. Resolves to what became of each that there was: `gone` where somebody
 * else stored or dropped it in between.
 */
export async function retryDeadLetters(
  dependencies: Dependencies,
  ids: readonly number[] | 'all',
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  for await (const letters of portions(dependencies, ids)) {
    const whole = letters.filter(({ missing }) => missing === 0);
    const tried = await ingest(dependencies, dependencies.readAgain(whole));
    for (const { id, reason } of letters) outcomes.set(id, reason);
    for (const [at, { id }] of whole.entries()) outcomes.set(id, tried[at] ?? 'gone');
  }
  return outcomes;
}

async function* portions(
  { letters }: Dependencies,
  ids: readonly number[] | 'all',
): AsyncGenerator<readonly DeadLetter[]> {
  let after = 0;
  for (let at = 0; ; at += MOST_AT_ONCE) {
    const portion =
      ids === 'all'
        ? await letters.list({ after, limit: MOST_AT_ONCE })
        : await letters.find(ids.slice(at, at + MOST_AT_ONCE));
    if (portion.length > 0) yield portion;
    after = portion.at(-1)?.id ?? after;
    if (ids === 'all' ? portion.length === 0 : at + MOST_AT_ONCE >= ids.length) return;
  }
}

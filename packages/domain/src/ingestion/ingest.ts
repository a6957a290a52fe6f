import { DEAD_LETTERS_PER_PROJECT } from '../dead-letter/trim-dead-letters.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { deadMessage, positionOf, type Message } from '../message/message.ts';
import type { Outcome } from './ingest-report.ts';
import type { IngestionStores } from './ingestion-stores.ts';
import { NO_QUOTA } from '../usage/log-quota.ts';
import { storeBatch, type BatchLimits } from './store-batch.ts';

interface Dependencies extends Partial<BatchLimits> {
  readonly stores: IngestionStores;
}

/**
 * Stores a batch. A message that makes the batch fail is found by bisection, and becomes a dead letter. Resolves once
 * the whole batch is stored; if it rejects, the source must deliver the batch again.
 */
export async function ingest(
  dependencies: Dependencies,
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const [first, second] = messages;
  if (first === undefined) return [];
  const { stores, deadLettersPerProject = DEAD_LETTERS_PER_PROJECT, logQuota = NO_QUOTA } = dependencies;
  const store = (batch: readonly Message[]): Promise<readonly Outcome[]> =>
    stores.withBatch((ofBatch) => storeBatch(ofBatch, batch, { deadLettersPerProject, logQuota }));
  try {
    return await store(messages);
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (second !== undefined) return ingestHalves(dependencies, messages);
    if (first.kind === 'dead') throw error;
    const { recordId } = first;
    return store([deadMessage({ ...first, position: positionOf(first) }, 'unstorable', recordId)]);
  }
}

async function ingestHalves(
  dependencies: Dependencies,
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const middle = messages.length >>> 1;
  const before = await ingest(dependencies, messages.slice(0, middle));
  return [...before, ...(await ingest(dependencies, messages.slice(middle)))];
}

function isDataError(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'invalid_input';
}

import { DomainError } from '../kernel/domain-error.ts';
import type { IngestStore, Outcome } from './ingest-store.ts';
import { deadMessage, positionOf, type Message } from '../message/message.ts';

/**
 * Stores a batch, whatever is in it: where it fails because of one message, that one is found by halves and becomes a
 * dead letter. Resolves when all of it is stored; where it rejects, the batch is to be delivered again.
 */
export async function ingest(
  { store }: { readonly store: IngestStore },
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const [first, second] = messages;
  if (first === undefined) return [];
  try {
    return await store.store(messages);
  } catch (error) {
    if (!isCulprits(error)) throw error;
    if (second !== undefined) return ingestHalves({ store }, messages);
    if (first.kind === 'dead') throw error;
    return store.store([deadMessage({ ...first, position: positionOf(first) }, 'unstorable')]);
  }
}

async function ingestHalves(
  dependencies: { readonly store: IngestStore },
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const middle = messages.length >>> 1;
  const before = await ingest(dependencies, messages.slice(0, middle));
  return [...before, ...(await ingest(dependencies, messages.slice(middle)))];
}

function isCulprits(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'invalid_input';
}

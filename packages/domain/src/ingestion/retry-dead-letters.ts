import type { DeadLetter } from '../dead-letter/dead-letter.ts';
import type { DeadLetterStore } from '../dead-letter/dead-letter-store.ts';
import { ingest } from './ingest.ts';
import { ReturnedEntry, type Outcome } from './ingest-report.ts';
import type { IngestionStores } from './ingestion-stores.ts';
import {
  messageContext,
  type MessageContext,
  type MessageContextDependencies,
} from '../message/message-context.ts';
import type { Message } from '../message/message.ts';
import type { LogQuota } from '../usage/log-quota.ts';
import { readMessage } from '../message/read-message.ts';

interface Dependencies extends MessageContextDependencies {
  readonly logQuota?: LogQuota;
  readonly deadLetters: DeadLetterStore;
  readonly stores: IngestionStores;
}

export type RetryOutcome = Exclude<Outcome, ReturnedEntry>;

const CHUNK = 200;

/**
 * Retries these dead letters, or all. Resolves to the outcomes of existing dead letters; `gone` means that a dead letter has been
 * stored or deleted since.
 */
export async function retryDeadLetters(
  dependencies: Dependencies,
  ids: readonly number[] | 'all',
): Promise<ReadonlyMap<number, RetryOutcome>> {
  const outcomes = new Map<number, RetryOutcome>();
  for await (const letters of chunks(dependencies, ids)) {
    const whole = letters.filter(({ missing }) => missing === 0);
    const context = messageContext(dependencies);
    const messages = whole.map((letter) => readAgain(letter, context));
    const tried = await ingest(dependencies, messages);
    for (const { id, reason } of letters) outcomes.set(id, reason);
    for (const [at, { id }] of whole.entries()) outcomes.set(id, ofRetry(tried[at]));
  }
  return outcomes;
}

/** A retried dead letter is never returned to its source. */
function ofRetry(outcome: Outcome | undefined): RetryOutcome {
  return outcome === undefined || outcome instanceof ReturnedEntry ? 'gone' : outcome;
}

/**
 * Reads the message with the same defaults as at its first delivery, so its entry has the same identity. Its time is
 * checked against the current time.
 */
function readAgain(
  { id, text, entryId, position, channel, receivedAt, streamTime, projectIds, pluginIds, owner }: DeadLetter,
  context: MessageContext,
): Message {
  const origin = { channel, receivedAt, streamTime, projectIds, pluginIds, owner, deadLetterId: id };
  return readMessage({ text, origin, position, ...(entryId !== null && { newId: () => entryId }) }, context);
}

async function* chunks(
  { deadLetters }: Dependencies,
  ids: readonly number[] | 'all',
): AsyncGenerator<readonly DeadLetter[]> {
  let after = 0;
  for (let at = 0; ; at += CHUNK) {
    const chunk =
      ids === 'all'
        ? await deadLetters.list({ after, limit: CHUNK })
        : await deadLetters.find(ids.slice(at, at + CHUNK));
    if (chunk.length > 0) yield chunk;
    after = chunk.at(-1)?.id ?? after;
    if (ids === 'all' ? chunk.length === 0 : at + CHUNK >= ids.length) return;
  }
}

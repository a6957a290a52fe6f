import { newDeadLetter, type NewDeadLetter } from '../dead-letter/dead-letter.ts';
import type { DeadReason } from '../message/dead-reason.ts';
import type { DeadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import { LETTERS_HARD_MAX } from '../dead-letter/trim-dead-letters.ts';
import type { AppendOutcomes } from '../log/log-entry-store.ts';
import type { Outcome } from './ingest-report.ts';
import type { BatchStores } from './ingestion-stores.ts';
import { judge, type Judged } from './judge.ts';
import type { Message } from '../message/message.ts';

/**
 * Judges the messages of a batch and stores them step by step: entries, their arrivals, reports, new dead letters. Last, it
 * removes the dead letters whose retry was stored. Each step is safe to repeat, and no step removes what an earlier one needs.
 * Resolves to the outcome of each message, in order.
 */
export async function storeBatch(
  { owners, days, log, arrivals, reports, deadLetters }: BatchStores,
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const retried = messages.flatMap(({ origin }) => origin.deadLetterId ?? []);
  const facts = {
    deadLetters: await deadLetters.lock(retried),
    owners: await owners.of(recordIdsOf(messages)),
    earliestKept: await days.earliestKept(),
  };
  const judged = judge(messages, facts);
  const appended = await log.append(judged.entries);
  await arrivals.add(judged.entries, appended);
  const counted = await reports.store(judged);
  const outcomes = outcomesOf(judged, appended, counted);
  await updateDeadLetters(deadLetters, messages, outcomes);
  return outcomes;
}

function recordIdsOf(messages: readonly Message[]): readonly number[] {
  const ids = new Set<number>();
  for (const message of messages) if (message.kind !== 'dead') ids.add(message.recordId);
  return [...ids];
}

function outcomesOf(
  { verdicts }: Judged,
  appended: AppendOutcomes,
  counted: readonly ('stored' | 'duplicate')[],
): readonly Outcome[] {
  let entry = 0;
  let delivery = 0;
  return verdicts.map((verdict) => {
    if (verdict === 'log') return appended[entry++] ?? 'duplicate';
    if (verdict === 'delivery') return counted[delivery++] ?? 'duplicate';
    return verdict === 'error' ? 'stored' : verdict;
  });
}

/** A dead letter whose retry fails again stays, with the new reason. */
async function updateDeadLetters(
  deadLetters: DeadLetterWriter,
  messages: readonly Message[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const added: NewDeadLetter[] = [];
  const deadAgain = new Map<number, DeadReason>();
  const stored: number[] = [];
  for (const [at, message] of messages.entries()) {
    const outcome = outcomes[at] ?? 'gone';
    const { deadLetterId } = message.origin;
    if (outcome === 'gone') continue;
    if (outcome === 'stored' || outcome === 'duplicate') {
      if (deadLetterId !== null) stored.push(deadLetterId);
    } else if (deadLetterId === null) added.push(newDeadLetter(message, outcome));
    else deadAgain.set(deadLetterId, outcome);
  }
  await deadLetters.add(added, LETTERS_HARD_MAX);
  await deadLetters.changeReasons(deadAgain);
  await deadLetters.remove(stored);
}

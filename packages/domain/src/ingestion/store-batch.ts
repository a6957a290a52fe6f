import { newDeadLetter, type NewDeadLetter } from '../dead-letter/dead-letter.ts';
import type { DeadReason } from '../message/dead-reason.ts';
import type { DeadLetterWriter } from '../dead-letter/dead-letter-writer.ts';
import type { AppendOutcomes } from '../log/log-entry-store.ts';
import type { Outcome } from './ingest-report.ts';
import type { BatchStores } from './ingestion-stores.ts';
import { judge, type Judged } from './judge.ts';
import { mayWriteTo, type Message } from '../message/message.ts';
import type { MessageOwner } from '../message/message-owner.ts';
import type { Owner } from './record-owners.ts';

/**
 * Judges the messages of a batch and stores them step by step: entries, their arrivals, reports, new dead letters. Last, it
 * removes the dead letters whose retry was stored. Each step is safe to repeat, and no step removes what an earlier one needs.
 * Resolves to the outcome of each message, in order.
 */
export async function storeBatch(
  { owners, days, log, arrivals, reports, deadLetters }: BatchStores,
  messages: readonly Message[],
  deadLettersPerProject: number,
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
  await updateDeadLetters(deadLetters, {
    messages,
    outcomes,
    owners: facts.owners,
    most: deadLettersPerProject,
  });
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

/** What became of the messages of a batch. */
interface Ended {
  readonly messages: readonly Message[];
  readonly outcomes: readonly Outcome[];
  readonly owners: ReadonlyMap<number, Owner>;
  /** The most dead letters of an owner. */
  readonly most: number;
}

/** A dead letter whose retry fails again stays, with the new reason. */
async function updateDeadLetters(
  deadLetters: DeadLetterWriter,
  { messages, outcomes, owners, most }: Ended,
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
    } else if (deadLetterId === null) added.push(newDeadLetter(message, outcome, ownerOf(message, owners)));
    else deadAgain.set(deadLetterId, outcome);
  }
  await deadLetters.add(added, most);
  await deadLetters.changeReasons(deadAgain);
  await deadLetters.remove(stored);
}

/** The project of the record if the sender may write to it; otherwise whoever sent the message. */
function ownerOf(message: Message, owners: ReadonlyMap<number, Owner>): MessageOwner {
  const projectId = message.kind === 'dead' ? undefined : owners.get(message.recordId)?.projectId;
  if (projectId === undefined || !mayWriteTo(message.origin, projectId)) return message.origin.owner;
  return `project ${projectId}`;
}

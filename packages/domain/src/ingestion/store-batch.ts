import { newDeadLetter, type NewDeadLetter } from '../dead-letter/dead-letter.ts';
import type { DeadReason } from '../message/dead-reason.ts';
import type { DeadLetterWriter } from '../dead-letter/dead-letter-store.ts';
import { utf8Length } from '../kernel/text.ts';
import type { AppendOutcomes, LogEntry } from '../log/log-entry.ts';
import type { LogUsage } from '../usage/log-usage.ts';
import { NO_QUOTA, quotaOf, type LogQuota } from '../usage/log-quota.ts';
import { ReturnedEntry, type Outcome } from './ingest-report.ts';
import type { BatchStores, Owner } from './ingestion-stores.ts';
import { judge, type Judged } from './judge.ts';
import { amountOf, entriesOverQuota, type Quotas } from './limit-entries.ts';
import { canWriteTo, type Message } from '../message/message.ts';
import type { MessageOwner } from '../message/message-owner.ts';

export interface BatchLimits {
  /** The maximum number of dead letters per project or other owner. */
  readonly deadLettersPerProject: number;
  /** The default quota of projects. */
  readonly logQuota: LogQuota;
}

/**
 * Judges the messages of a batch and stores them step by step: entries, their sequence numbers, reports and new dead
 * letters. Finally removes the dead letters whose retry was stored. Each step is safe to repeat, and no step removes
 * what an earlier one needs. Resolves to the outcome of each message, in order.
 */
export async function storeBatch(
  stores: BatchStores,
  messages: readonly Message[],
  { deadLettersPerProject, logQuota }: BatchLimits,
): Promise<readonly Outcome[]> {
  const { owners, days, log, sequence, reports, usage, deadLetters } = stores;
  const retried = messages.flatMap(({ origin }) => origin.deadLetterId ?? []);
  const facts = {
    deadLetters: await deadLetters.lock(retried),
    owners: await owners.of(recordIdsOf(messages)),
    earliestKept: await days.earliestKept(),
  };
  const judged = judge(messages, facts);
  const quotas = quotasOf(facts.owners, logQuota);
  const over = await entriesOverQuota(stores, judged.entries, quotas);
  const admitted = over.size === 0 ? judged.entries : judged.entries.filter((entry) => !over.has(entry));
  const appended = await log.append(admitted);
  await sequence.add(admitted, appended);
  const counted = await reports.store(judged);
  const outcomes = outcomesOf({ messages, judged, over, quotas, appended, counted });
  await usage.add(usageOf({ messages, judged, outcomes }));
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
  for (const { recordId } of messages) if (recordId !== null) ids.add(recordId);
  return [...ids];
}

function quotasOf(owners: ReadonlyMap<number, Owner>, setting: LogQuota): Quotas {
  return new Map(
    [...owners.values()].map(({ projectId, logQuota }) => [projectId, quotaOf(logQuota, setting)]),
  );
}

interface BatchResult {
  readonly messages: readonly Message[];
  readonly judged: Judged;
  /** The entries over quota. */
  readonly over: ReadonlySet<LogEntry>;
  readonly quotas: Quotas;
  /** The outcomes of the other entries. */
  readonly appended: AppendOutcomes;
  readonly counted: readonly ('stored' | 'duplicate')[];
}

function outcomesOf({ messages, judged, over, quotas, appended, counted }: BatchResult): readonly Outcome[] {
  const [entries, ofEntries, ofDeliveries] = [judged.entries.values(), appended.values(), counted.values()];
  return judged.verdicts.map((verdict, at) => {
    if (verdict === 'delivery') return ofDeliveries.next().value ?? 'duplicate';
    if (verdict !== 'log') return verdict === 'error' ? 'stored' : verdict;
    const { value: entry } = entries.next();
    if (entry === undefined || !over.has(entry)) return ofEntries.next().value ?? 'duplicate';
    if (messages[at]?.origin.overQuota !== 'return') return 'over_quota';
    const { projectId } = entry;
    return new ReturnedEntry(projectId, amountOf(entry), quotas.get(projectId) ?? NO_QUOTA);
  });
}

type Sums = { -readonly [Name in keyof LogUsage]: LogUsage[Name] };

/**
 * Adds up the usage of each project. Entries over quota are not counted again when they are redelivered or retried.
 */
function usageOf({
  messages,
  judged,
  outcomes,
}: Pick<BatchResult, 'messages' | 'judged'> & { readonly outcomes: readonly Outcome[] }): ReadonlyMap<
  number,
  LogUsage
> {
  const used = new Map<number, Sums>();
  const entries = judged.entries.values();
  for (const [at, verdict] of judged.verdicts.entries()) {
    const entry = verdict === 'log' ? entries.next().value : undefined;
    const outcome = outcomes[at];
    const origin = messages[at]?.origin;
    if (entry === undefined || origin === undefined || outcome === 'duplicate') continue;
    let sums = used.get(entry.projectId);
    if (sums === undefined) used.set(entry.projectId, (sums = { entries: 0, bytes: 0, overQuota: 0 }));
    const isOver = outcome === 'over_quota' || outcome instanceof ReturnedEntry;
    if (outcome === 'stored') {
      sums.entries++;
      sums.bytes += utf8Length(entry.message);
    } else if (isOver && origin.overQuota !== 'keep' && origin.deadLetterId === null) sums.overQuota++;
  }
  return used;
}

interface BatchOutcomes {
  readonly messages: readonly Message[];
  readonly outcomes: readonly Outcome[];
  readonly owners: ReadonlyMap<number, Owner>;
  /** The maximum number of dead letters per owner. */
  readonly most: number;
}

/** A dead letter whose retry fails again is kept, with the new reason. */
async function updateDeadLetters(
  deadLetters: DeadLetterWriter,
  { messages, outcomes, owners, most }: BatchOutcomes,
): Promise<void> {
  const added: NewDeadLetter[] = [];
  const deadAgain = new Map<number, DeadReason>();
  const stored: number[] = [];
  for (const [at, message] of messages.entries()) {
    const outcome = outcomes[at] ?? 'gone';
    const { deadLetterId } = message.origin;
    if (outcome === 'gone' || outcome === 'unavailable' || outcome instanceof ReturnedEntry) continue;
    if (outcome === 'stored' || outcome === 'duplicate') {
      if (deadLetterId !== null) stored.push(deadLetterId);
    } else if (deadLetterId === null) added.push(newDeadLetter(message, outcome, ownerOf(message, owners)));
    else deadAgain.set(deadLetterId, outcome);
  }
  await deadLetters.add(added, most);
  await deadLetters.changeReasons(deadAgain);
  await deadLetters.remove(stored);
}

/**
 * Returns the project of the record if the sender may write to it, and otherwise the owner of the sender's messages.
 */
function ownerOf({ recordId, origin }: Message, owners: ReadonlyMap<number, Owner>): MessageOwner {
  const owner = recordId === null ? undefined : owners.get(recordId);
  if (owner === undefined || !canWriteTo(origin, owner)) return origin.owner;
  return `project ${owner.projectId}`;
}

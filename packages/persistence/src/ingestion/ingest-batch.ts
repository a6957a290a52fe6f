import {
  newDeadLetter,
  refusal,
  type DeadReason,
  type DeliveryMessage,
  type EntryMessage,
  type ErrorMessage,
  type LiveMessage,
  type Message,
  type NewDeadLetter,
  type Outcome,
  type Owner,
} from '@plugin-config/domain';
import type pg from 'pg';
import { countDeliveries } from '../delivery/count-deliveries.ts';
import { makeDue } from '../delivery/make-due.ts';
import { reportErrors } from '../delivery/report-errors.ts';
import {
  addDeadLetters,
  giveReasons,
  holdDeadLetters,
  removeDeadLetters,
} from '../dead-letter/dead-letters.ts';
import { findOwners } from './find-owners.ts';
import type { InsertEntries } from '../log/insert-entries.ts';
import { startOfKept } from '../log/log-days.ts';
import { writeEntries, type NewEntry } from '../log/write-entries.ts';

/** Stores a batch within a transaction that began as one that writes logs does. */
export async function ingestBatch(
  client: pg.ClientBase,
  insert: InsertEntries,
  messages: readonly Message[],
): Promise<readonly Outcome[]> {
  const letters = messages.flatMap(({ origin }) => origin.deadLetterId ?? []);
  const held = await holdDeadLetters(client, letters);
  const open = messages.filter(({ origin }) => origin.deadLetterId === null || held.has(origin.deadLetterId));
  const { live, dead } = await judge(client, open);
  const stored = await storeLive(client, insert, live);
  await bury(client, dead);
  await removeDeadLetters(
    client,
    live.flatMap(({ message }) => message.origin.deadLetterId ?? []),
  );
  const opened = new Set(open);
  return messages.map((message) => {
    if (!opened.has(message)) return 'gone';
    return dead.get(message) ?? (stored.has(message) ? 'stored' : 'duplicate');
  });
}

interface Judged {
  readonly live: readonly Live[];
  readonly dead: ReadonlyMap<Message, DeadReason>;
}

interface Live {
  readonly message: LiveMessage;
  readonly owner: Owner;
}

async function judge(client: pg.ClientBase, messages: readonly Message[]): Promise<Judged> {
  const owners = await findOwners(
    client,
    messages.filter((message) => message.kind !== 'dead'),
  );
  const earliest = await startOfKept(client);
  const live: Live[] = [];
  const dead = new Map<Message, DeadReason>();
  for (const message of messages) {
    if (message.kind === 'dead') {
      dead.set(message, message.reason);
      continue;
    }
    const owner = owners.get(message.recordId);
    const isTooOld = message.kind !== 'error' && message.timestamp < earliest;
    const reason = refusal(message, owner) ?? (isTooOld ? 'too_old' : null);
    if (reason !== null) dead.set(message, reason);
    else if (owner !== undefined) live.push({ message, owner });
  }
  return { live, dead };
}

/** Answers what was not stored before. */
async function storeLive(
  client: pg.ClientBase,
  insert: InsertEntries,
  live: readonly Live[],
): Promise<ReadonlySet<Message>> {
  const entries: EntryOfMessage[] = [];
  const deliveries: DeliveryMessage[] = [];
  const errors: ErrorMessage[] = [];
  for (const { message, owner } of live) {
    if (message.kind === 'log') entries.push(entryOf(message, owner));
    else if (message.kind === 'delivery') deliveries.push(message);
    else errors.push(message);
  }
  const unshown = await reportErrors(client, errors);
  const written = await writeEntries(client, insert, entries);
  const counted = await countDeliveries(client, deliveries);
  await makeDue(client, [...unshown, ...counted.map(({ recordId }) => recordId)]);
  const stored = new Set<Message>([...errors, ...counted]);
  for (const { of } of written) stored.add(of);
  return stored;
}

interface EntryOfMessage extends NewEntry {
  readonly of: EntryMessage;
}

function entryOf(message: EntryMessage, { plugin }: Owner): EntryOfMessage {
  const { recordId, timestamp, id, instanceId, source, type } = message;
  return { recordId, timestamp, id, instanceId, plugin, source, type, message: message.message, of: message };
}

/** What is dead for the first time becomes a letter; what is dead again is one. */
async function bury(client: pg.ClientBase, dead: ReadonlyMap<Message, DeadReason>): Promise<void> {
  const fresh: NewDeadLetter[] = [];
  const again = new Map<number, DeadReason>();
  for (const [message, reason] of dead) {
    const { deadLetterId } = message.origin;
    if (deadLetterId === null) fresh.push(newDeadLetter(message, reason));
    else again.set(deadLetterId, reason);
  }
  await addDeadLetters(client, fresh);
  await giveReasons(client, again);
}

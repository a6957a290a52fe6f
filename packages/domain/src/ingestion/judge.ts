import type { DeadReason } from '../message/dead-reason.ts';
import type { LogEntry } from '../log/log-entry.ts';
import {
  canWriteTo,
  type DeliveryMessage,
  type EntryMessage,
  type ErrorMessage,
  type LiveMessage,
  type Message,
} from '../message/message.ts';
import type { Owner, Reports } from './ingestion-stores.ts';
import { FAMILY } from '../vocabulary/vocabulary.ts';

export interface Facts {
  readonly owners: ReadonlyMap<number, Owner>;
  /** The start of the oldest day that was not dropped, in milliseconds since 1970. */
  readonly earliestKept: number;
  /** The retried dead letters that still exist. */
  readonly deadLetters: ReadonlySet<number>;
}

/**
 * The store for a message, or the reason why it is dead. `gone` means that the retried dead letter has been stored or
 * deleted since.
 */
export type Verdict = LiveMessage['kind'] | 'gone' | DeadReason;

/** The verdicts, and the messages by store. Each list keeps the order of the messages. */
export interface Judged extends Reports {
  readonly verdicts: readonly Verdict[];
  readonly entries: readonly LogEntry[];
}

/** Decides which store, if any, each message of a batch goes to. */
export function judge(messages: readonly Message[], facts: Facts): Judged {
  const verdicts: Verdict[] = [];
  const entries: LogEntry[] = [];
  const deliveries: DeliveryMessage[] = [];
  const errors: ErrorMessage[] = [];
  for (const message of messages) {
    const owner = message.kind === 'dead' ? undefined : facts.owners.get(message.recordId);
    const verdict = verdictOf(message, owner, facts);
    verdicts.push(verdict);
    if (owner === undefined || verdict !== message.kind) continue;
    if (message.kind === 'log') entries.push(entryOf(message, owner));
    else if (message.kind === 'delivery') deliveries.push(message);
    else errors.push(message);
  }
  return { verdicts, entries, deliveries, errors };
}

function verdictOf(message: Message, owner: Owner | undefined, facts: Facts): Verdict {
  const { deadLetterId } = message.origin;
  if (deadLetterId !== null && !facts.deadLetters.has(deadLetterId)) return 'gone';
  if (message.kind === 'dead') return message.reason;
  return rejection(message, owner) ?? (isTooOld(message, facts) ? 'too_old' : message.kind);
}

/**
 * Returns why the record of a message cannot accept it, or null. A record that the sender may not write to counts as
 * unknown, so a key for certain projects or plugins cannot learn which other records exist.
 */
function rejection(message: LiveMessage, owner: Owner | undefined): DeadReason | null {
  if (owner === undefined || !canWriteTo(message.origin, owner)) return 'unknown_plugin_config';
  if (message.projectId !== null && message.projectId !== owner.projectId) return 'wrong_team_id';
  if (message.plugin !== null && message.plugin !== owner.plugin) return 'wrong_plugin_id';
  return message.kind === 'log' && !FAMILY[owner.family].hasLog ? 'no_log' : null;
}

/** An error is never too old: a record always shows its latest one. */
function isTooOld(message: LiveMessage, { earliestKept }: Facts): boolean {
  return message.kind !== 'error' && message.timestamp < earliestKept;
}

function entryOf(message: EntryMessage, { projectId, plugin }: Owner): LogEntry {
  const { recordId, id, source, type, instanceId } = message;
  return {
    id,
    projectId,
    plugin,
    recordId,
    timestamp: new Date(message.timestamp),
    source,
    type,
    message: message.message,
    instanceId,
  };
}

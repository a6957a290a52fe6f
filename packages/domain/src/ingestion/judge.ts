import { FAMILY } from '../project/family.ts';
import type { DeadReason } from '../message/dead-reason.ts';
import type { LogEntry } from '../log/log-entry.ts';
import type {
  DeliveryMessage,
  EntryMessage,
  ErrorMessage,
  LiveMessage,
  Message,
} from '../message/message.ts';
import type { Owner } from './record-owners.ts';
import type { Reports } from './report-store.ts';

/** What messages are judged by. */
export interface Facts {
  readonly owners: ReadonlyMap<number, Owner>;
  /** In milliseconds since the epoch. The days before it are dropped. */
  readonly earliestKept: number;
  /** Those of the dead letters that are retried which still exist. */
  readonly deadLetters: ReadonlySet<number>;
}

/**
 * Which store a message goes to, or why it is dead. `gone`: it is a retry of a dead letter that was stored or dropped
 * meanwhile, so nothing is done.
 */
export type Verdict = LiveMessage['kind'] | 'gone' | DeadReason;

/** Each list is in the order of the messages. */
export interface Judged extends Reports {
  /** One for each message. */
  readonly verdicts: readonly Verdict[];
  readonly entries: readonly LogEntry[];
}

/** Decides for each message of a batch whether it is stored, and where. */
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
  return refusal(message, owner) ?? (isTooOld(message, facts) ? 'too_old' : message.kind);
}

/** Why the record that a message names cannot take it; null where it can. */
function refusal(message: LiveMessage, owner: Owner | undefined): DeadReason | null {
  if (owner === undefined) return 'unknown_plugin_config';
  const { projectIds } = message.origin;
  if (projectIds.length > 0 && !projectIds.includes(owner.projectId)) return 'wrong_project';
  if (message.projectId !== null && message.projectId !== owner.projectId) return 'wrong_team_id';
  if (message.plugin !== null && message.plugin !== owner.plugin) return 'wrong_plugin_id';
  return message.kind === 'log' && !FAMILY[owner.family].hasLog ? 'no_log' : null;
}

/** An error has no day: its record shows the latest one, however old. */
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

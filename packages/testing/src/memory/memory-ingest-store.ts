import {
  DomainError,
  isLaterError,
  isStorable,
  newDeadLetter,
  refusal,
  type Clock,
  type DeadReason,
  type DeliveryMessage,
  type EntryMessage,
  type ErrorMessage,
  type IngestStore,
  type LogEntry,
  type Message,
  type Outcome,
} from '@plugin-config/domain';
import { raiseRevision } from './family-changes.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { entryKey, type MemoryLogs, type MemoryLogState, type StoredLetter } from './memory-log-state.ts';
import { familyKey, type MemoryState, type StoredRecord } from './memory-state.ts';

interface Draft {
  readonly at: Date;
  readonly state: MemoryState;
  readonly entries: Map<string, LogEntry>;
  readonly deliveries: Map<string, DeliveryMessage>;
  readonly letters: Map<number, StoredLetter>;
  readonly errors: Map<number, ErrorMessage>;
  readonly earliest: number;
  lastLetter: number;
}

export function memoryIngestStore(db: MemoryDatabase, logs: MemoryLogs, clock: Clock): IngestStore {
  return {
    store: (messages) =>
      db.change((state) => {
        const draft = draftOf(state, logs.state, clock.now());
        const outcomes = messages.map((message) => storeOne(draft, message));
        showErrors(draft);
        const { entries, deliveries, errors, letters, lastLetter, earliest } = draft;
        logs.state = { entries, deliveries, errors, letters, lastLetter, earliest };
        return outcomes;
      }),
  };
}

function draftOf(
  state: MemoryState,
  { entries, deliveries, errors, letters, lastLetter, earliest }: MemoryLogState,
  at: Date,
): Draft {
  return {
    at,
    state,
    entries: new Map(entries),
    deliveries: new Map(deliveries),
    letters: new Map(letters),
    errors: new Map(errors),
    earliest,
    lastLetter,
  };
}

function storeOne(draft: Draft, message: Message): Outcome {
  const { deadLetterId } = message.origin;
  if (deadLetterId !== null && !draft.letters.has(deadLetterId)) return 'gone';
  if (message.kind === 'dead') return bury(draft, message, message.reason);
  const record = draft.state.records.get(message.recordId)?.record;
  const reason = refusal(message, record);
  if (reason !== null || record === undefined) return bury(draft, message, reason ?? 'unknown_plugin_config');
  if (message.kind !== 'error' && message.timestamp < draft.earliest) return bury(draft, message, 'too_old');
  if (deadLetterId !== null) draft.letters.delete(deadLetterId);
  if (message.kind === 'error') return reportError(draft, message);
  return message.kind === 'log' ? storeEntry(draft, message, record) : countDelivery(draft, message);
}

function storeEntry({ entries }: Draft, message: EntryMessage, record: StoredRecord['record']): Outcome {
  const { recordId, id, source, type, instanceId } = message;
  checkStorable(message.message);
  const { projectId, plugin } = record;
  const timestamp = new Date(message.timestamp);
  const entry = {
    id,
    projectId,
    plugin,
    recordId,
    timestamp,
    source,
    type,
    message: message.message,
    instanceId,
  };
  if (entries.has(entryKey(entry))) return 'duplicate';
  entries.set(entryKey(entry), entry);
  return 'stored';
}

function countDelivery({ deliveries }: Draft, message: DeliveryMessage): Outcome {
  const key = `${message.recordId} ${message.id}`;
  if (deliveries.has(key)) return 'duplicate';
  deliveries.set(key, message);
  return 'stored';
}

function reportError({ errors }: Draft, message: ErrorMessage): Outcome {
  checkStorable(message.error ?? '');
  const latest = errors.get(message.recordId);
  if (latest === undefined || isLaterError(message, latest)) errors.set(message.recordId, message);
  return 'stored';
}

/** Each family whose answers change, once. */
function showErrors({ state, errors }: Draft): void {
  const families = new Map<string, StoredRecord['record']>();
  for (const [id, { error }] of errors) {
    const stored = state.records.get(id);
    if (stored === undefined || stored.record.error === error) continue;
    state.records.set(id, { ...stored, record: { ...stored.record, error } });
    families.set(familyKey(stored.record), stored.record);
  }
  for (const family of families.values()) raiseRevision(state, family);
}

function bury(draft: Draft, message: Message, reason: DeadReason): DeadReason {
  const { deadLetterId } = message.origin;
  const known = deadLetterId === null ? undefined : draft.letters.get(deadLetterId);
  if (known === undefined) addLetter(draft, message, reason);
  else draft.letters.set(known.letter.id, { ...known, letter: { ...known.letter, reason } });
  return reason;
}

function addLetter(draft: Draft, message: Message, reason: DeadReason): void {
  const { identity, ...letter } = newDeadLetter(message, reason);
  if (draft.letters.values().some((known) => known.identity === identity)) return;
  const id = ++draft.lastLetter;
  draft.letters.set(id, { letter: { id, ...letter }, identity, addedAt: draft.at });
}

function checkStorable(text: string): void {
  if (!isStorable(text)) throw new DomainError('invalid_input', 'Something in the batch cannot be stored.');
}

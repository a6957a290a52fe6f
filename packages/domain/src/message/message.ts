import { grantsPlugin, grantsProject } from '../access/api-key.ts';
import type { FailedDelivery } from '../delivery/failed-delivery.ts';
import type { DeadReason } from './dead-reason.ts';
import type { MessageOwner } from './message-owner.ts';

/** In UTF-16 units. A longer text becomes a dead letter without being parsed, truncated to this length. */
export const MESSAGE_TEXT_MAX = 1024 * 1024;

/** The origin of a message. Provides defaults for omitted fields, and restricts the records it may write to. */
export interface MessageOrigin {
  /** The kind of source, such as `http`. */
  readonly channel: string;
  readonly receivedAt: Date;
  /** The time of the stream message; null if it did not come from a stream. */
  readonly streamTime: Date | null;
  /** The projects that the sender may write to; empty means all. */
  readonly projectIds: readonly number[];
  /** The plugins whose records the sender may write to; empty means all. */
  readonly pluginIds: readonly number[];
  /** The owner of the dead letter if the message is not about a record that the sender may write to. */
  readonly owner: MessageOwner;
  /** The push that contained the message. Other sources redeliver a message with the same time and position. */
  readonly pushId?: string;
  /**
   * What happens to an entry over the quota of its project: `return` it to the source, or `keep` it as a dead letter
   * without counting it, because it was returned before. By default, it becomes a dead letter.
   */
  readonly overQuota?: 'return' | 'keep';
  /** The dead letter that this message retries. */
  readonly deadLetterId: number | null;
}

export function canWriteTo(
  origin: MessageOrigin,
  { projectId, plugin }: { readonly projectId: number; readonly plugin: number },
): boolean {
  return grantsProject(origin, projectId) && grantsPlugin(origin, plugin);
}

/** Returns when the source received a message; for a stream, by the stream's clock. */
export function sourceTime({ streamTime, receivedAt }: MessageOrigin): number {
  return (streamTime ?? receivedAt).getTime();
}

/** The original text, for dead letters. */
interface RawMessage {
  readonly text: string;
  readonly origin: MessageOrigin;
}

/** The record of a message, and the project and plugin that it names, or null. */
export interface Address {
  readonly recordId: number;
  readonly projectId: number | null;
  readonly plugin: number | null;
}

interface AddressedMessage extends RawMessage, Address {}

export interface EntryMessage extends AddressedMessage {
  readonly kind: 'log';
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly source: string;
  readonly type: string;
  readonly message: string;
  readonly instanceId: string;
}

/** The deliveries of a plugin since its last report. */
export interface DeliveryMessage extends AddressedMessage {
  readonly kind: 'delivery';
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
  /** Some of the failures. */
  readonly failed: readonly FailedDelivery[];
}

/** The position of a message in its source: a line number, or a sequence number in a stream. */
interface WithPosition {
  /**
   * The position among the messages received at the same moment, in ascending order. The same for every delivery of the message.
   */
  readonly position: number;
}

export interface SourceMessage extends RawMessage, WithPosition {
  /**
   * Generates an id for a message without one, the same for every delivery of the message. Absent if the source cannot
   * recognise repeated deliveries.
   */
  newId?(): string;
}

/** An error of a plugin; null clears it. */
export interface ErrorMessage extends AddressedMessage, WithPosition {
  readonly kind: 'error';
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly error: string | null;
}

/** A message that can never be stored. */
export interface DeadMessage extends RawMessage, WithPosition {
  readonly kind: 'dead';
  /** The record that it names, if that could be read. */
  readonly recordId: number | null;
  readonly reason: DeadReason;
}

export type LiveMessage = EntryMessage | DeliveryMessage | ErrorMessage;
export type Message = LiveMessage | DeadMessage;

export function deadMessage(
  { text, origin, position }: RawMessage & WithPosition,
  reason: DeadReason,
  recordId: number | null = null,
): DeadMessage {
  return { kind: 'dead', reason, recordId, text, origin, position };
}

/** Returns the position of an error, or of a message that may turn out to be one; 0 for others. */
export function positionOf(message: Message): number {
  return message.kind === 'error' || message.kind === 'dead' ? message.position : 0;
}

import type { DeadReason } from './dead-reason.ts';

/** In UTF-16 units. A longer text is dead before it is parsed, and is kept up to here. */
export const MESSAGE_TEXT_MAX = 1024 * 1024;

/** Where a message came from. What it leaves out is taken from here, and what it may do. */
export interface MessageOrigin {
  /** What took it in, such as `http`. */
  readonly channel: string;
  readonly receivedAt: Date;
  /** The stream message's own time; null where it came by no stream. */
  readonly streamTime: Date | null;
  /** The projects that its sender may write to; empty: all. */
  readonly projectIds: readonly number[];
  /** The dead letter that it is another try of. */
  readonly deadLetterId: number | null;
}

/** As it arrived, to be kept where it turns out to be dead. */
interface Arrived {
  readonly text: string;
  readonly origin: MessageOrigin;
}

/** The record that a message is about, and whose it says that it is: null where it does not say. */
interface Addressed extends Arrived {
  readonly recordId: number;
  readonly projectId: number | null;
  readonly plugin: number | null;
}

export interface EntryMessage extends Addressed {
  readonly kind: 'log';
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly timestamp: number;
  readonly source: string;
  readonly type: string;
  readonly message: string;
  readonly instanceId: string;
}

/** What a plugin delivered. */
export interface DeliveryMessage extends Addressed {
  readonly kind: 'delivery';
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly timestamp: number;
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
}

/** Where a message stood in what its source took in: the number of its line, or its sequence number in a stream. */
interface Positioned {
  readonly position: number;
}

/** An error of a plugin; null clears it. */
export interface ErrorMessage extends Addressed, Positioned {
  readonly kind: 'error';
  /** In milliseconds since the epoch. */
  readonly timestamp: number;
  readonly error: string | null;
}

/** What can never be stored. */
export interface DeadMessage extends Arrived, Positioned {
  readonly kind: 'dead';
  readonly reason: DeadReason;
}

export type LiveMessage = EntryMessage | DeliveryMessage | ErrorMessage;
export type Message = LiveMessage | DeadMessage;

export function deadMessage(
  { text, origin, position }: Arrived & Positioned,
  reason: DeadReason,
): DeadMessage {
  return { kind: 'dead', reason, text, origin, position };
}

/** The position of what is, or may yet be read as, an error; no other message needs one. */
export function positionOf(message: Message): number {
  return message.kind === 'error' || message.kind === 'dead' ? message.position : 0;
}

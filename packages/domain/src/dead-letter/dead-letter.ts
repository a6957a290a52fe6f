import type { DeadReason } from '../message/dead-reason.ts';
import type { MessageOwner } from '../message/message-owner.ts';
import { MESSAGE_TEXT_MAX, positionOf, type Message, type MessageOrigin } from '../message/message.ts';
import { replaceUnstorable } from '../log/storable-text.ts';

/** A message that could not be stored, with everything that a retry needs. */
export interface DeadLetter extends Omit<MessageOrigin, 'pushId' | 'overQuota' | 'deadLetterId'> {
  readonly id: number;
  /** Whose bound it counts for. */
  readonly owner: MessageOwner;
  readonly reason: DeadReason;
  /** The position of an error report, or of a message that could not be read; otherwise 0. */
  readonly position: number;
  /** The id of the log entry, sent or generated; null if the message could not be read. */
  readonly entryId: string | null;
  readonly text: string;
  /**
   * The length of the part of a very long text that was not kept, in UTF-16 units. Such a message cannot be retried.
   */
  readonly missing: number;
}

/** A dead letter that is not stored yet. */
export interface NewDeadLetter extends Omit<DeadLetter, 'id'> {
  /** Equal for each delivery of the same message. */
  readonly identity: string;
}

export function newDeadLetter(message: Message, reason: DeadReason, owner: MessageOwner): NewDeadLetter {
  const { text, origin } = message;
  const { channel, receivedAt, streamTime, projectIds } = origin;
  return {
    identity: identityOf(message),
    owner,
    reason,
    channel,
    receivedAt,
    streamTime,
    projectIds,
    position: positionOf(message),
    entryId: message.kind === 'log' ? message.id : null,
    text: replaceUnstorable(text.slice(0, MESSAGE_TEXT_MAX)),
    missing: Math.max(0, text.length - MESSAGE_TEXT_MAX),
  };
}

/**
 * The text and origin of a message. A log entry or delivery adds its id and time (generated if missing), so it is the same
 * however often it is sent, and equal texts stay different messages just as their entries would. What has no id is the same
 * only in the same place of the same push, stream or file: equal lines of two pushes are two messages.
 */
function identityOf(message: Message): string {
  const { channel, streamTime, projectIds, owner } = message.origin;
  return JSON.stringify([channel, streamTime, projectIds, owner, message.text, ...distinctionOf(message)]);
}

function distinctionOf(message: Message): readonly (string | number | null)[] {
  if (message.kind === 'log' || message.kind === 'delivery') return [message.id, message.timestamp];
  const { receivedAt, pushId = null } = message.origin;
  return [receivedAt.getTime(), pushId, message.position];
}

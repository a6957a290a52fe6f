import type { DeadReason } from '../message/dead-reason.ts';
import type { MessageOwner } from '../message/message-owner.ts';
import { MESSAGE_TEXT_MAX, positionOf, type Message, type MessageOrigin } from '../message/message.ts';
import { replaceUnstorable } from '../log/storable-text.ts';

/** A message that could not be stored, with everything needed to retry it. */
export interface DeadLetter extends Omit<MessageOrigin, 'pushId' | 'overQuota' | 'deadLetterId'> {
  readonly id: number;
  /** The owner whose bound it counts towards. */
  readonly owner: MessageOwner;
  /** The record that the message names, if that could be read. */
  readonly recordId: number | null;
  readonly reason: DeadReason;
  /** The position of an error report, or of an unreadable message; otherwise 0. */
  readonly position: number;
  /** The id of the log entry, sent or generated; null if the message could not be read. */
  readonly entryId: string | null;
  readonly text: string;
  /** The length of the truncated part of a very long text, in UTF-16 units. Such a message cannot be retried. */
  readonly missing: number;
}

export interface NewDeadLetter extends Omit<DeadLetter, 'id'> {
  /** The same for every delivery of the same message. */
  readonly identity: string;
}

export function newDeadLetter(message: Message, reason: DeadReason, owner: MessageOwner): NewDeadLetter {
  const { text, origin } = message;
  const { channel, receivedAt, streamTime, projectIds, pluginIds } = origin;
  return {
    identity: identityOf(message),
    owner,
    recordId: message.recordId,
    reason,
    channel,
    receivedAt,
    streamTime,
    projectIds,
    pluginIds,
    position: positionOf(message),
    entryId: message.kind === 'log' ? message.id : null,
    text: replaceUnstorable(text.slice(0, MESSAGE_TEXT_MAX)),
    missing: Math.max(0, text.length - MESSAGE_TEXT_MAX),
  };
}

/**
 * Returns the text and origin of a message. Log entries and deliveries add their id and time (generated if missing),
 * so a resent message has the same identity while equal texts with different ids do not. Messages without an id are
 * the same only at the same position of the same push, stream or file: equal lines in two pushes are two messages.
 */
function identityOf(message: Message): string {
  const { channel, streamTime, projectIds, pluginIds, owner } = message.origin;
  return JSON.stringify([
    channel,
    streamTime,
    projectIds,
    pluginIds,
    owner,
    message.text,
    ...distinctionOf(message),
  ]);
}

function distinctionOf(message: Message): readonly (string | number | null)[] {
  if (message.kind === 'log' || message.kind === 'delivery') return [message.id, message.timestamp];
  const { receivedAt, pushId = null } = message.origin;
  return [receivedAt.getTime(), pushId, message.position];
}

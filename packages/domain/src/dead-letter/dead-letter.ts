import type { DeadReason } from '../message/dead-reason.ts';
import { MESSAGE_TEXT_MAX, positionOf, type Message, type MessageOrigin } from '../message/message.ts';
import { replaceUnstorable } from '../log/storable-text.ts';

/** A message that could not be stored, kept with all that another try needs. */
export interface DeadLetter extends Omit<MessageOrigin, 'deadLetterId'> {
  readonly id: number;
  readonly reason: DeadReason;
  /** Of an error report, and of what was not even read. */
  readonly position: number;
  /** The id of the entry that it would be, its own or made up; null where it was not even read. */
  readonly entryId: string | null;
  readonly text: string;
  /** How much of a very long text was taken in and not kept, in UTF-16 units. Without it there is no other try. */
  readonly missing: number;
}

/** A dead letter that is not stored yet. */
export interface NewDeadLetter extends Omit<DeadLetter, 'id'> {
  /** The same for a message that comes again. */
  readonly identity: string;
}

export function newDeadLetter(message: Message, reason: DeadReason): NewDeadLetter {
  const { text, origin } = message;
  const { channel, receivedAt, streamTime, projectIds } = origin;
  return {
    identity: identityOf(message),
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
 * Its text and where it is from; of what would be an entry or a delivery also the id and the time, which are made up
 * where it brings none, so that twins are told apart wherever their entries would be; of an error also its position,
 * since between two that are alike may stand another one.
 */
function identityOf(message: Message): string {
  const { channel, streamTime, projectIds } = message.origin;
  return JSON.stringify([channel, streamTime, projectIds, message.text, ...distinctionOf(message)]);
}

function distinctionOf(message: Message): readonly (string | number)[] {
  if (message.kind === 'error') return [message.position];
  return message.kind === 'dead' ? [] : [message.id, message.timestamp];
}

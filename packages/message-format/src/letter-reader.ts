import type { DeadLetter, Message } from '@plugin-config/domain';
import { readMessage } from './read-message.ts';
import { messageContext, type ContextDependencies } from './message-context.ts';

/**
 * Reads dead letters again. What a message left out is filled in as it was the first time, so that its entry is the
 * same when it is delivered again.
 */
export function letterReader(
  dependencies: ContextDependencies,
): (letters: readonly DeadLetter[]) => readonly Message[] {
  return (letters) => {
    const context = messageContext(dependencies);
    return letters.map(({ id, text, entryId, position, channel, receivedAt, streamTime, projectIds }) => {
      const origin = { channel, receivedAt, streamTime, projectIds, deadLetterId: id };
      return readMessage(text, origin, {
        ...context,
        newId: () => entryId ?? context.newId(),
        position: () => position,
      });
    });
  };
}

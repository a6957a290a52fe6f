import type { DeadLetter, Message } from '@plugin-config/domain';
import { readMessage } from './read-message.ts';
import { messageContext, type ContextDependencies } from './message-context.ts';

/**
 * Reads dead letters again. Values that a message leaves out are the same as at the first delivery, so that its entry
 * has the same identity.
 */
export function deadLetterReader(
  dependencies: ContextDependencies,
): (letters: readonly DeadLetter[]) => readonly Message[] {
  return (letters) => {
    const context = messageContext(dependencies);
    return letters.map(
      ({ id, text, entryId, position, channel, receivedAt, streamTime, projectIds, owner }) => {
        const origin = { channel, receivedAt, streamTime, projectIds, owner, deadLetterId: id };
        return readMessage(text, origin, {
          ...context,
          newId: () => entryId ?? context.newId(),
          position: () => position,
        });
      },
    );
  };
}

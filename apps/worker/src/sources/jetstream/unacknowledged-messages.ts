import type { StreamMessage } from './stream-message.ts';

export interface UnacknowledgedMessages {
  readonly messages: number;
  readonly bytes: number;
  add(message: StreamMessage): void;
  remove(messages: readonly StreamMessage[]): void;
}

/** Counts messages that were delivered to this worker, but neither acknowledged nor rejected. */
export function unacknowledgedMessages(): UnacknowledgedMessages {
  let messages = 0;
  let bytes = 0;
  return {
    get messages() {
      return messages;
    },
    get bytes() {
      return bytes;
    },
    add(message) {
      messages++;
      bytes += message.bytes;
    },
    remove(removed) {
      messages -= removed.length;
      for (const message of removed) bytes -= message.bytes;
    },
  };
}

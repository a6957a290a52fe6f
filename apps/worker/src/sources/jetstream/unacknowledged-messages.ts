import type { StreamMessage } from './stream-message.ts';

export interface UnacknowledgedMessages {
  readonly messages: number;
  readonly bytes: number;
  add(message: StreamMessage): void;
  letGo(messages: readonly StreamMessage[]): void;
}

/** Counts messages that this worker holds: delivered, but neither acknowledged nor given back. */
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
    letGo(gone) {
      messages -= gone.length;
      for (const message of gone) bytes -= message.bytes;
    },
  };
}

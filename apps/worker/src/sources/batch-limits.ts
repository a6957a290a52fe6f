import { MESSAGE_TEXT_MAX, type SourceMessage } from '@plugin-config/domain';

/** A batch is full when it reaches one of these limits. */
export const BATCH_MESSAGES = 5000;
export const BATCH_CHARACTERS = 4 * 1024 * 1024;
/** How long a batch waits for more messages after its first. */
export const BATCH_MS = 50;

/** The limits of a source's batches. */
export const GATHERING = {
  maxItems: BATCH_MESSAGES,
  maxSize: BATCH_CHARACTERS,
  sizeOf: ({ text }: SourceMessage) => text.length,
  maxAgeMs: BATCH_MS,
};

const UTF8_BYTES_MAX = 3;

/** How many bytes of a message are read. A UTF-16 unit takes up to 3 bytes, so any longer message is also too long as text. */
export const MESSAGE_MAX_BYTES = UTF8_BYTES_MAX * (MESSAGE_TEXT_MAX + 1);

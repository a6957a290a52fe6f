import { MESSAGE_TEXT_MAX } from '@plugin-config/domain';

/** A batch is closed at one of these. */
export const BATCH_MESSAGES = 5000;
export const BATCH_CHARACTERS = 4 * 1024 * 1024;
export const BATCH_AGE_MS = 50;

const UTF8_BYTES_MAX = 3;

/** What is taken in of a message: enough to see that its text is too long, since a UTF-16 unit takes up to 3 bytes. */
export const MESSAGE_MOST_BYTES = UTF8_BYTES_MAX * (MESSAGE_TEXT_MAX + 1);

/** A batch is closed at one of these. */
export const BATCH_MESSAGES = 5000;
export const BATCH_CHARACTERS = 4 * 1024 * 1024;
export const BATCH_AGE_MS = 50;

export { letterReader } from './letter-reader.ts';
export { readInstant } from './read-instant.ts';
export { readMessage } from './read-message.ts';
export { readingNow, type Reading, type ReadingDependencies } from './reading.ts';

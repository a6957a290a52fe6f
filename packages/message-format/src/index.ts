export { deadLetterReader } from './dead-letter-reader.ts';
export { readInstant } from './read-instant.ts';
export { readMessage } from './read-message.ts';
export { messageContext, type MessageContext, type ContextDependencies } from './message-context.ts';

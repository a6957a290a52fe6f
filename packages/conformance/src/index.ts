export { responseCheck, type ResponseCheck } from './response-check.ts';
export { breakingChanges } from './breaking-changes.ts';
export { eventBlocks, eventOf, type ReceivedEvent } from './event-blocks.ts';
export { operationsOf, type JsonObject, type Operation } from './document.ts';

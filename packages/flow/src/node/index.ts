export { backOff } from './back-off.ts';
export { batching, type BatchingOptions } from './batching.ts';
export { gatherer } from './gatherer.ts';
export { nodeTimer } from './node-timer.ts';
export { readingPauses } from './reading-pauses.ts';
export { turns } from './turns.ts';
export { serveTasks, workThread, type PlainError, type Task, type WorkThread } from './work-thread.ts';

// What the main file of an app needs before it knows whether it serves itself.
export { CannotStart } from '../lifecycle/cannot-start.ts';
export { readOptions } from '../lifecycle/read-options.ts';
export type { Group } from './group.ts';
export { runProcesses } from './run-processes.ts';

export type { StartDependencies } from './run-everything.ts';
export type { SetUp } from './set-up.ts';
export { start } from './start.ts';

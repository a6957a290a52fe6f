export type { ReadyService } from './banner.ts';
export type { SetUp } from './set-up.ts';
export { start } from './start.ts';

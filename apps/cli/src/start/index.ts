export type { ReadyService } from './ready-service.ts';
export type { SetUp } from './set-up.ts';
export { start } from './start.ts';

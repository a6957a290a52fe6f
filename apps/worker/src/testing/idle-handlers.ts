import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHandler } from '@plugin-config/domain';
import { say } from '../job-handlers/say.ts';

/** Never returns, and ignores its signal. */
const never: JobHandler = { type: 'never', run: () => new Promise(() => undefined) };

/** Runs for the milliseconds in its payload. Returns early when its signal is aborted. */
const slow: JobHandler = {
  type: 'slow',
  async run({ task: { payload } }, signal: AbortSignal) {
    await sleep(Number(payload), undefined, { signal });
    return { lines: [{ type: 'INFO', message: 'Took its time' }] };
  },
};

/** Job handlers for tests: `never`, `slow` and `say`. */
export const IDLE_HANDLERS: readonly JobHandler[] = [never, slow, say];

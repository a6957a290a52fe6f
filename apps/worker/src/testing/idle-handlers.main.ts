import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHandler } from '@plugin-config/domain';
import { runProcesses, type Group } from '@plugin-config/server/group';
import { readEnv } from '../env.ts';
import { say } from '../job-handlers/say.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker with slow job handlers.

/** Never ends and ignores its signal. */
const never: JobHandler = { type: 'never', run: () => new Promise(() => undefined) };

/** Takes the milliseconds of its payload, and ends early when its signal is aborted. */
const slow: JobHandler = {
  type: 'slow',
  async run({ task: { payload } }, signal: AbortSignal) {
    await sleep(Number(payload), undefined, { signal });
    return { lines: [{ type: 'INFO', message: 'Took its time' }] };
  },
};

const serveIn = (group: Group): Promise<void> =>
  serve(readEnv(process.env), group, { handlers: [never, slow, say] });
process.exit(await runProcesses({ service: 'worker', variable: 'WORKER_PROCESSES', serve: serveIn }));

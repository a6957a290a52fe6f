import { setTimeout as sleep } from 'node:timers/promises';
import type { JobHandler } from '@plugin-config/domain';
import { readEnv } from '../env.ts';
import { say } from '../job-handlers/say.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker with handlers that take their time.

/** Never ends, whatever it is told. */
const never: JobHandler = { type: 'never', run: () => new Promise(() => undefined) };

/** Takes as many milliseconds as its payload says, and ends when it is told to. */
const slow: JobHandler = {
  type: 'slow',
  async run({ task: { payload } }, signal: AbortSignal) {
    await sleep(Number(payload), undefined, { signal });
    return { lines: [{ type: 'INFO', message: 'Took its time' }] };
  },
};

await serve(readEnv(process.env), [never, slow, say]);
process.exit(0);

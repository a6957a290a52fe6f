import { runProcesses, type Group } from '@plugin-config/server/group';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker that soon gives up on its callers, so that tests need not wait as long.
const serveIn = (group: Group): Promise<void> =>
  serve(readEnv(process.env), group, { timeouts: { headersMs: 5_000, requestMs: 12_000, stalledMs: 2_000 } });
process.exit(await runProcesses({ service: 'worker', variable: 'WORKER_PROCESSES', serve: serveIn }));

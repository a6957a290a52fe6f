import { runProcesses, type Group } from '@plugin-config/server/group';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';
import { IDLE_HANDLERS } from './idle-handlers.ts';

// A worker with slow job handlers.
const serveIn = (group: Group): Promise<void> =>
  serve(readEnv(process.env), group, { handlers: IDLE_HANDLERS });
process.exit(await runProcesses({ service: 'worker', variable: 'WORKER_PROCESSES', serve: serveIn }));

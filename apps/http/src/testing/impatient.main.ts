import { runProcesses, type Group } from '@plugin-config/server/group';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// An HTTP app that soon gives up on its callers, so that tests need not wait as long.
const serveIn = (group: Group): Promise<void> =>
  serve(readEnv(process.env), group, {
    timeouts: { headersMs: 5_000, requestMs: 12_000, stalledMs: 2_000, commentSeconds: 1 },
  });
process.exit(await runProcesses({ service: 'http', variable: 'HTTP_PROCESSES', serve: serveIn }));

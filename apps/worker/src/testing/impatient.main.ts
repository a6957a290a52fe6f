import { stopSignal } from '@plugin-config/server';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker that soon gives up on its callers, so that tests need not wait as long.
await serve(readEnv(process.env), stopSignal(), {
  timeouts: { headersMs: 5_000, requestMs: 12_000, stalledMs: 2_000 },
});
process.exit(0);

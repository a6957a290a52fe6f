import { stopSignal } from '@plugin-config/server';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker with short timeouts for callers, which keeps tests fast.
await serve(readEnv(process.env), stopSignal(), {
  timeouts: { headersMs: 5_000, requestMs: 12_000, stalledMs: 2_000 },
});
process.exit(0);

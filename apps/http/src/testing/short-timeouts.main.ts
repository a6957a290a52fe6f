import { stopSignal } from '@plugin-config/server';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// The HTTP app with short timeouts, for tests that wait for them.
await serve(readEnv(process.env), stopSignal(), {
  timeouts: { headersMs: 5_000, requestMs: 12_000, stalledMs: 2_000, commentSeconds: 1 },
});
process.exit(0);

import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';

// A worker that soon gives up on its callers, so that tests need not wait as long.
await serve(readEnv(process.env), { timeouts: { headersMs: 8_000, requestMs: 16_000, stalledMs: 4_000 } });
process.exit(0);

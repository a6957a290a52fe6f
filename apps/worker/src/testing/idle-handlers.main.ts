import { stopSignal } from '@plugin-config/server';
import { readEnv } from '../env.ts';
import { serve } from '../lifecycle/serve.ts';
import { IDLE_HANDLERS } from './idle-handlers.ts';

// A worker with slow job handlers.
await serve(readEnv(process.env), stopSignal(), { handlers: IDLE_HANDLERS });
process.exit(0);

import { CannotStart, readOptions, stopSignal } from '@plugin-config/server';
import { readEnv } from './env.ts';
import { serve } from './lifecycle/serve.ts';

const USAGE = 'Usage: node apps/http/src/main.ts [--help | --version]';

try {
  readOptions(USAGE);
  await serve(readEnv(process.env), stopSignal());
  process.exit(0);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

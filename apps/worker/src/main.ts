import { CannotStart, readOptions } from '@plugin-config/server';
import { readEnv } from './env.ts';
import { importLines } from './import/import-lines.ts';
import { boundHeap } from './lifecycle/bound-heap.ts';
import { serve } from './lifecycle/serve.ts';

const USAGE =
  'Usage: node apps/worker/src/main.ts [--input FILE | --help | --version], where FILE may be - for standard input.';

try {
  boundHeap();
  const { input } = readOptions(USAGE, ['input']);
  const env = readEnv(process.env);
  const isComplete = input === undefined ? await serve(env).then(() => true) : await importLines(env, input);
  process.exit(isComplete ? 0 : 1);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

import { parseArgs } from 'node:util';
import { CannotStart } from '@plugin-config/server';
import { readEnv } from './env.ts';
import { importLines } from './import/import-lines.ts';
import { boundHeap } from './lifecycle/bound-heap.ts';
import { serve } from './lifecycle/serve.ts';

const USAGE = 'Usage: node apps/worker/src/main.ts [--input FILE], where FILE may be - for standard input.';

function inputOf(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { input: { type: 'string' } } }).values.input;
  } catch {
    throw new CannotStart(USAGE);
  }
}

try {
  boundHeap();
  const input = inputOf(process.argv.slice(2));
  const env = readEnv(process.env);
  const isComplete = input === undefined ? await serve(env).then(() => true) : await importLines(env, input);
  process.exit(isComplete ? 0 : 1);
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

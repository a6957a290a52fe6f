import { setFlagsFromString } from 'node:v8';
import { CannotStart, readOptions, runProcesses, type Group } from '@plugin-config/server/group';

const USAGE =
  'Usage: node apps/worker/src/main.ts [--input FILE | --help | --version], where FILE may be - for standard input.';

try {
  boundHeap();
  const { input } = readOptions(USAGE, ['input']);
  process.exit(
    input === undefined
      ? await runProcesses({ service: 'worker', variable: 'WORKER_PROCESSES', serve: serveIn })
      : await importFrom(input),
  );
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

async function serveIn(group: Group): Promise<void> {
  const [{ readEnv }, { serve }] = await Promise.all([import('./env.ts'), import('./lifecycle/serve.ts')]);
  await serve(readEnv(process.env), group);
}

/** One process reads a file, whatever `WORKER_PROCESSES` says. */
async function importFrom(input: string): Promise<number> {
  const [{ readEnv }, { importLines }] = await Promise.all([
    import('./env.ts'),
    import('./import/import-lines.ts'),
  ]);
  return (await importLines(readEnv(process.env), input)) ? 0 : 1;
}

/**
 * Makes V8 collect the heap whenever it has doubled. Messages live until their commit, so V8 moves them to the old
 * generation, which would grow to several times the live data. This halves the memory for about a tenth of CPU time.
 */
function boundHeap(): void {
  setFlagsFromString('--heap-growing-percent=100');
}

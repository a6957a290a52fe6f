import { enableCompileCache } from 'node:module';
import { COMPILED } from './compiled.ts';

enableCompileCache(COMPILED);
const { run } = await import('./cli.ts');

/** A reader such as `head` may close the pipe at any time. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', ignoreClosedPipe);
process.stderr.on('error', ignoreClosedPipe);
process.exitCode = await run(process.argv.slice(2), process.env);

import { enableCompileCache } from 'node:module';
import { COMPILED } from './compiled.ts';

enableCompileCache(COMPILED);
const { run } = await import('./run.ts');

/** Ignores a closed pipe: a reader such as `head` may stop at any time. */
function tolerateClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

process.stdout.on('error', tolerateClosedPipe);
process.stderr.on('error', tolerateClosedPipe);
process.exitCode = await run(process.argv.slice(2), process.env);

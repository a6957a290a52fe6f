import { run } from './cli.ts';

/** A reader such as `head` may close the pipe at any time. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Runs the command of this process, and sets its exit code. */
export async function runProcess(first: Parameters<typeof run>[2] = []): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe);
  process.stderr.on('error', ignoreClosedPipe);
  process.exitCode = await run(process.argv.slice(2), process.env, first);
}

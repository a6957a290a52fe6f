import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The main file of the CLI. */
export const COMMAND = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
const POLL_MS = 10;

interface Call {
  readonly env: NodeJS.ProcessEnv;
  readonly input?: string;
  /** Kills the command once this condition holds. */
  readonly killWhen?: () => Promise<boolean>;
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the CLI as a separate process. */
export async function runCommand(
  args: readonly string[],
  { env, input = '', killWhen }: Call,
): Promise<Outcome> {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, cwd: tmpdir() });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const output = Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (killWhen !== undefined) await killOnce(child, killWhen);
  const [stdout, stderr, code] = await output;
  return { code, stdout, stderr };
}

async function killOnce(child: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  while (child.exitCode === null && !(await holds())) await sleep(POLL_MS);
  child.kill('SIGKILL');
}

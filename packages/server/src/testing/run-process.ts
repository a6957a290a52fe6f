import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  /** Where it listens, once it does. */
  url(): Promise<string>;
}

export interface ProcessOptions {
  readonly main: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** An app as it is deployed: a process of its own, and no environment but the given one. */
export function runProcess({ main, args = [], nodeFlags = [], env }: ProcessOptions): RunningProcess {
  const child = spawn(process.execPath, [...nodeFlags, main, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const exited = ended(child);
  const listening = (): string | undefined => /"url":"([^"]+)","msg":"listening"/.exec(stdout)?.[1];
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    url: async () => {
      await until(() => listening() !== undefined || child.exitCode !== null);
      return listening() ?? Promise.reject(new Error(`It ended: ${stdout}${stderr}`));
    },
  };
}

/** Its code, once all that it wrote has been read. */
async function ended(child: ChildProcess): Promise<number | null> {
  const outputs = [child.stdout, child.stderr].map((output) => output && once(output, 'close'));
  const [[code]] = await Promise.all([once(child, 'exit'), ...outputs]);
  return code as number | null;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { COMPILED } from '../../../../tools/compile-cache.ts';
import { until } from './until.ts';
import { urlIn } from './url-in.ts';

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  /** Resolves to the URL that the process listens on. */
  url(): Promise<string>;
}

export interface ProcessOptions {
  readonly main: string;
  readonly args?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The maximum number of open files and connections. Defaults to that of this process. */
  readonly openFiles?: number;
}

/** Generous, because start-up time is not guaranteed. */
const START_MS = 60_000;

/** Starts an app as a process with the given environment and the compile cache. */
export function runProcess({
  main,
  args = [],
  nodeFlags = [],
  env,
  openFiles,
}: ProcessOptions): RunningProcess {
  const command = [process.execPath, ...nodeFlags, main, ...args];
  const limited =
    openFiles === undefined
      ? command
      : ['/bin/sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, ...command];
  const [program = '', ...rest] = limited;
  const child = spawn(program, rest, {
    env: { NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const exited = exitCode(child);
  const listening = () => urlIn(stdout);
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    exited,
    url: async () => {
      await until(() => listening() !== undefined || child.exitCode !== null, START_MS);
      return listening() ?? Promise.reject(new Error(`The process ended: ${stdout}${stderr}`));
    },
  };
}

/** Resolves to the exit code once all output has been read. */
async function exitCode(child: ChildProcess): Promise<number | null> {
  const outputs = [child.stdout, child.stderr].map((output) => output && once(output, 'close'));
  const [[code]] = await Promise.all([once(child, 'exit'), ...outputs]);
  return code as number | null;
}

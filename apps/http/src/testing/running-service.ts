import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface RunningService {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  /** Where it listens, once it does. */
  url(): Promise<string>;
}

/** The service as it is deployed: a process of its own, and no environment but the given one. */
export function runService(env: NodeJS.ProcessEnv): RunningService {
  const child = spawn(process.execPath, [MAIN], {
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
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

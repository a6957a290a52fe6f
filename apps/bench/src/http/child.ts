import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  request<T>(message: object): Promise<T>;
  readonly process: ChildProcess;
}

/** Starts a part of the benchmark as a process, to give each measured server its own heap. */
export function startChild(file: string, env: NodeJS.ProcessEnv = {}): Child {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`${file} exited too early.`)));
  exited.catch(() => undefined);
  return {
    process: child,
    request: async <T>(message: object): Promise<T> => {
      child.send(message);
      const [response] = (await Promise.race([once(child, 'message'), exited])) as [T];
      return response;
    },
  };
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Child {
  ask<T>(message: object): Promise<T>;
  readonly process: ChildProcess;
}

/** Starts a part of the benchmark as a process, so that each measured server has its own heap. */
export function startChild(file: string, env: NodeJS.ProcessEnv = {}): Child {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = fork(path, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended too soon.`)));
  gone.catch(() => undefined);
  return {
    process: child,
    ask: async <T>(message: object): Promise<T> => {
      child.send(message);
      const [answer] = (await Promise.race([once(child, 'message'), gone])) as [T];
      return answer;
    },
  };
}

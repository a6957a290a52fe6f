import type { Deadline } from './deadline.ts';
import type { Timer } from './timer.ts';

/** Runs the work once no other work with this name is running. */
export type OneAtATime<T> = (name: string, deadline: Deadline, work: () => Promise<T>) => Promise<T>;

interface Options {
  readonly timer: Timer;
  /** Creates the error for a caller whose deadline passes while it waits. */
  readonly rejection: () => Error;
}

/** Runs the work of one caller per name at a time. */
export function oneAtATime<T>({ timer, rejection }: Options): OneAtATime<T> {
  const running = new Map<string, Promise<T>>();

  const ended = (other: Promise<T>, deadline: Deadline): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = timer(() => reject(rejection()), Math.max(0, deadline.remainingMs()));
    const end = (): void => {
      stop();
      resolve();
    };
    other.then(end, end);
    return promise;
  };

  return async (name, deadline, work) => {
    for (let other = running.get(name); other !== undefined; other = running.get(name))
      await ended(other, deadline);
    const own = work();
    running.set(name, own);
    try {
      return await own;
    } finally {
      running.delete(name);
    }
  };
}

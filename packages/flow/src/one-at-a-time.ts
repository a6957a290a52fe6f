import type { Deadline } from './deadline.ts';
import type { Timer } from './timer.ts';

/** Runs the work or, if work with this name is running, waits for it and returns its result. */
export type OneAtATime<T> = (
  name: string,
  deadline: Deadline,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly isOwn: boolean }>;

interface Options {
  readonly timer: Timer;
  /** Creates the error for a caller whose deadline passes while it waits. */
  readonly rejection: () => Error;
}

/** Runs the work of one caller per name at a time. If it fails, the next waiting caller runs its own. */
export function oneAtATime<T>({ timer, rejection }: Options): OneAtATime<T> {
  const running = new Map<string, Promise<T>>();

  /** Waits for the result of another caller's work; null if it fails. */
  const resultOf = (other: Promise<T>, deadline: Deadline): Promise<{ readonly result: T } | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly result: T } | null>();
    const stop = timer(() => reject(rejection()), Math.max(0, deadline.remainingMs()));
    other
      .then(
        (result) => resolve({ result }),
        () => resolve(null),
      )
      .finally(stop);
    return promise;
  };

  return async (name, deadline, work) => {
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      const outcome = await resultOf(other, deadline);
      if (outcome !== null) return { ...outcome, isOwn: false };
    }
    const own = work();
    running.set(name, own);
    try {
      return { result: await own, isOwn: true };
    } finally {
      running.delete(name);
    }
  };
}

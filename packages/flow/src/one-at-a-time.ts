import type { Patience } from './patience.ts';
import type { Timer } from './timer.ts';

/** Runs the work, unless one of this name is running: then waits for it, and resolves to its result. */
export type OneAtATime<T> = (
  name: string,
  patience: Patience,
  work: () => Promise<T>,
) => Promise<{ readonly result: T; readonly isOwn: boolean }>;

interface Options {
  readonly timer: Timer;
  /** The error of one whose patience ends while it waits. */
  readonly refusal: () => Error;
}

/** Runs one work of each name at a time. If it fails, the next one that waits runs. */
export function oneAtATime<T>({ timer, refusal }: Options): OneAtATime<T> {
  const running = new Map<string, Promise<T>>();

  /** Waits for another's result; null if it fails. */
  const resultOf = (other: Promise<T>, patience: Patience): Promise<{ readonly result: T } | null> => {
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly result: T } | null>();
    const stop = timer(() => reject(refusal()), Math.max(0, patience.left()));
    other
      .then(
        (result) => resolve({ result }),
        () => resolve(null),
      )
      .finally(stop);
    return promise;
  };

  return async (name, patience, work) => {
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      const outcome = await resultOf(other, patience);
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

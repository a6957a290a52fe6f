import { DomainError } from '@plugin-config/domain';

interface Options {
  readonly most: number;
  /** How long a work waits for its turn before it is refused. */
  readonly patienceMs: number;
}

export type AtMost = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets so many works run at a time. The others wait, in the order in which they came. */
export function atMost({ most, patienceMs }: Options): AtMost {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < most) {
      running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(tooMany());
    }, patienceMs);
    waiting.add(resolve);
    await promise.finally(() => clearTimeout(timer));
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) running--;
    else {
      waiting.delete(next);
      next();
    }
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}

function tooMany(): DomainError {
  return new DomainError('busy', 'Too many others are asking for this at the moment.', {
    retryAfterSeconds: 2,
  });
}

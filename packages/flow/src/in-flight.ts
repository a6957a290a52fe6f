/** Limits the number of promises in progress. */
export interface InFlight {
  readonly size: number;
  /** Adds work. Resolves when there is room for more. */
  begin(work: Promise<void>): Promise<void>;
  /** Resolves when all work is done. */
  idle(): Promise<void>;
}

/** Work must not reject. */
export function inFlight(max: number): InFlight {
  const running = new Set<Promise<void>>();
  return {
    get size() {
      return running.size;
    },
    async begin(work) {
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= max) await Promise.race(running);
    },
    async idle() {
      await Promise.all(running);
    },
  };
}

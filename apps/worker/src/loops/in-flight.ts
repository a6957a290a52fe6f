/** Lets a number of pieces of work run at a time. */
export interface InFlight {
  readonly size: number;
  /** Begins it; resolves when there is room for another. */
  begin(work: Promise<void>): Promise<void>;
  /** Resolves when all of it is done. */
  idle(): Promise<void>;
}

/** The work itself must not reject. */
export function inFlight(most: number): InFlight {
  const running = new Set<Promise<void>>();
  return {
    get size() {
      return running.size;
    },
    async begin(work) {
      const tracked = work.finally(() => running.delete(tracked));
      running.add(tracked);
      if (running.size >= most) await Promise.race(running);
    },
    async idle() {
      await Promise.all(running);
    },
  };
}

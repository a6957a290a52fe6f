import { MOMENT } from '../builders/an-author.ts';
import { copyOf, emptyState, type MemoryState } from './memory-state.ts';

/** What the adapters in memory share. */
export interface MemoryDatabase {
  /** As the last finished change left it. */
  readonly state: MemoryState;
  /** Its clock, which stands still until time passes. */
  readonly now: Date;
  pass(milliseconds: number): void;
  /** Runs one change after the other; all that it did is kept when it resolves, nothing where it throws. */
  change<T>(work: (state: MemoryState) => T | Promise<T>): Promise<T>;
}

export function memoryDatabase(): MemoryDatabase {
  let state = emptyState();
  let last: Promise<unknown> = Promise.resolve();
  let now = MOMENT;
  return {
    get state() {
      return state;
    },
    get now() {
      return now;
    },
    pass(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    change(work) {
      const result = last.then(async () => {
        const draft = copyOf(state);
        const value = await work(draft);
        state = draft;
        return value;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

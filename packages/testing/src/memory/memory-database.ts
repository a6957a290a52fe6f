import { MOMENT } from '../builders/an-author.ts';
import { copyOf, emptyState, type MemoryState } from './memory-state.ts';

/** State that the in-memory adapters share. */
export interface MemoryDatabase {
  /** State after the last committed change. */
  readonly state: MemoryState;
  /** Time of the database. It changes only by `pass`. */
  readonly now: Date;
  pass(milliseconds: number): void;
  /** Runs the work when all earlier changes have ended. Commits its changes if it resolves, and discards them if it throws. */
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

/** The same state, in which no change stays. */
export function dryMemoryDatabase(db: MemoryDatabase): MemoryDatabase {
  return {
    get state() {
      return db.state;
    },
    get now() {
      return db.now;
    },
    pass: db.pass,
    change: (work) => db.change((state) => work(copyOf(state))),
  };
}

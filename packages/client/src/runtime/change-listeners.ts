import type { ChangeListener } from './plugin-runtime.ts';

/** Delivers each state to each listener once. */
export interface ChangeListeners<State, Change> {
  /** The last delivered state. */
  readonly delivered: State;
  /** Adds a listener and calls it with the current state. Returns a function that removes it. */
  add(listener: ChangeListener<Change>): () => void;
  /** Calls the listeners that have not seen the current state, in sequence. */
  deliver(): Promise<void>;
}

interface Dependencies<State, Change> {
  readonly current: () => State;
  /** Returns the argument for a listener that has seen the previous state, or none. */
  readonly changeOf: (state: State, isNewListener: boolean) => Change;
  readonly isClosed: () => boolean;
  /** Called after the listeners, with the errors that they threw. */
  readonly onDelivered: (state: State, thrown: readonly unknown[]) => void;
}

export function changeListeners<State, Change>({
  current,
  changeOf,
  isClosed,
  onDelivered,
}: Dependencies<State, Change>): ChangeListeners<State, Change> {
  const seenBy = new Map<ChangeListener<Change>, State | null>();
  let delivered = current();
  let last = Promise.resolve();

  const deliverNow = async (): Promise<void> => {
    if (isClosed()) return;
    const state = current();
    delivered = state;
    const thrown: unknown[] = [];
    for (const [listener, seen] of seenBy) {
      if (seen === state || isClosed()) continue;
      seenBy.set(listener, state);
      try {
        await listener(changeOf(state, seen === null));
      } catch (error) {
        thrown.push(error);
      }
    }
    onDelivered(state, thrown);
  };

  const deliver = async (): Promise<void> => {
    last = last.then(deliverNow);
    return last;
  };

  return {
    get delivered() {
      return delivered;
    },
    add(listener) {
      seenBy.set(listener, null);
      void deliver();
      return () => seenBy.delete(listener);
    },
    deliver,
  };
}

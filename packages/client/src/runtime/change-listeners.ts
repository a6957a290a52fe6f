import type { ChangeListener } from './plugin-runtime.ts';

/** Delivers each state to each listener once. */
export interface ChangeListeners<State, Change> {
  /** The last delivered state. */
  readonly delivered: State;
  /** Adds a listener and calls it with the current state. Returns a function that removes it. */
  add(listener: ChangeListener<Change>): () => void;
  /** Calls the listeners that have not seen the current state, in sequence. */
  deliver(): Promise<void>;
  /** Treats a state as seen by everybody who has seen the previous one. */
  replace(previous: State, state: State): void;
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
    delivered = current();
    const thrown: unknown[] = [];
    for (const listener of seenBy.keys()) {
      // A listener may replace the state, also for those after it.
      const seen = seenBy.get(listener);
      if (seen === delivered || isClosed()) continue;
      seenBy.set(listener, delivered);
      try {
        await listener(changeOf(delivered, seen === null));
      } catch (error) {
        thrown.push(error);
      }
    }
    onDelivered(delivered, thrown);
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
    replace(previous, state) {
      if (delivered === previous) delivered = state;
      for (const [listener, seen] of seenBy) if (seen === previous) seenBy.set(listener, state);
    },
  };
}

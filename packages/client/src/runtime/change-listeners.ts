import type { ChangeListener, CurrentConfiguration } from './plugin-runtime.ts';

/** Delivers each version to each listener once. */
export interface ChangeListeners {
  /** The last delivered version. */
  readonly version: string;
  /** Adds a listener and calls it with the current version. Returns a function that removes it. */
  add(listener: ChangeListener): () => void;
  /** Calls the listeners that have not seen the current version, in sequence. */
  deliver(): Promise<void>;
}

interface Dependencies {
  readonly current: () => CurrentConfiguration;
  readonly isClosed: () => boolean;
  /** Called after the listeners, with the errors that they threw. */
  readonly onDelivered: (version: string, thrown: readonly unknown[]) => void;
}

export function changeListeners({ current, isClosed, onDelivered }: Dependencies): ChangeListeners {
  const versionOf = new Map<ChangeListener, string | null>();
  let { version } = current();
  let last = Promise.resolve();

  const deliverNow = async (): Promise<void> => {
    if (isClosed()) return;
    const configuration = current();
    version = configuration.version;
    const thrown: unknown[] = [];
    for (const [listener, seen] of versionOf) {
      if (seen === version || isClosed()) continue;
      versionOf.set(listener, version);
      try {
        await listener(configuration);
      } catch (error) {
        thrown.push(error);
      }
    }
    onDelivered(version, thrown);
  };

  const deliver = async (): Promise<void> => {
    last = last.then(deliverNow);
    return last;
  };

  return {
    get version() {
      return version;
    },
    add(listener) {
      versionOf.set(listener, null);
      void deliver();
      return () => versionOf.delete(listener);
    },
    deliver,
  };
}

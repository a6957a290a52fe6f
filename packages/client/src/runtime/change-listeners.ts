import type { ChangeListener, CurrentConfiguration } from './plugin-runtime.ts';

/** Gives each listener every version once, and waits for it. */
export interface ChangeListeners {
  /** The version that was delivered last. */
  readonly version: string;
  /** The listener gets the current version first. Returns a function that removes it. */
  add(listener: ChangeListener): () => void;
  /** Calls the listeners that do not have the current version yet, one after another. */
  deliver(): Promise<void>;
}

interface Dependencies {
  readonly current: () => CurrentConfiguration;
  readonly isClosed: () => boolean;
  /** Called after the listeners, with what they have thrown. */
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

import { endInvalidKeys, type Open, type KeyDependencies } from './end-invalid-keys.ts';

const CHECK_MS = 5_000;

/** What is open for a key: streams, and requests that wait. It ends soon after its key is revoked or expires. */
export interface WatchedKeys {
  add(open: Open): void;
  remove(open: Open): void;
}

/** Checks the keys of everything that is open every five seconds, while something is. */
export function watchedKeys(dependencies: KeyDependencies): WatchedKeys {
  const byKey = new Map<number, Set<Open>>();
  let timer: NodeJS.Timeout | null = null;
  let isChecking = false;
  const check = (): void => {
    if (isChecking) return;
    isChecking = true;
    void endInvalidKeys(dependencies, byKey).finally(() => (isChecking = false));
  };
  return {
    add(open) {
      const ofKey = byKey.get(open.key.id);
      if (ofKey === undefined) byKey.set(open.key.id, new Set([open]));
      else ofKey.add(open);
      timer ??= setInterval(check, CHECK_MS);
    },
    remove(open) {
      const ofKey = byKey.get(open.key.id);
      ofKey?.delete(open);
      if (ofKey?.size === 0) byKey.delete(open.key.id);
      if (byKey.size > 0 || timer === null) return;
      clearInterval(timer);
      timer = null;
    },
  };
}

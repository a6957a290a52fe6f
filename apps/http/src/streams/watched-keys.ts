import { endInvalidKeys, type KeyDependencies, type OpenForKey } from './end-invalid-keys.ts';

export const KEY_CHECK_MS = 5_000;

/** Ends streams and waiting requests soon after their key is revoked or expires. */
export interface WatchedKeys {
  add(open: OpenForKey): void;
  remove(open: OpenForKey): void;
}

interface Dependencies extends KeyDependencies {
  readonly checkMs?: number | undefined;
}

/** Checks the keys regularly while anything is open. */
export function watchedKeys({ checkMs = KEY_CHECK_MS, ...dependencies }: Dependencies): WatchedKeys {
  const byKey = new Map<number, Set<OpenForKey>>();
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
      timer ??= setInterval(check, checkMs);
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

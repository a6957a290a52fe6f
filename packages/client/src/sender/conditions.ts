interface Wait {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Lets callers wait for conditions. `check` re-evaluates them. */
export interface Conditions {
  until(isMet: () => boolean, signal?: AbortSignal): Promise<void>;
  check(): void;
  /** Rejects all current and future waits. */
  fail(reason: unknown): void;
  throwIfFailed(): void;
}

export function conditions(): Conditions {
  const waits = new Set<Wait>();
  const failed = new AbortController();
  return {
    until: async (isMet, signal) => {
      failed.signal.throwIfAborted();
      if (isMet()) return;
      signal?.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const wait: Wait = {
          isMet,
          resolve: () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
          reject,
        };
        const abort = (): void => {
          waits.delete(wait);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener('abort', abort, { once: true });
        waits.add(wait);
      });
    },
    check: () => {
      for (const wait of waits) {
        if (!wait.isMet()) continue;
        waits.delete(wait);
        wait.resolve();
      }
    },
    fail: (reason) => {
      failed.abort(reason);
      for (const { reject } of waits) reject(reason as Error);
      waits.clear();
    },
    throwIfFailed: () => failed.signal.throwIfAborted(),
  };
}

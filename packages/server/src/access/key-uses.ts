import type { ApiKeyStore } from '@plugin-config/domain';

/** Gathers the last use of each key in memory until `flush` stores it, so that no request waits for the write. */
export interface KeyUses {
  note(keyId: number, at: Date): void;
  flush(): Promise<void>;
}

export function keyUses({ keys }: { readonly keys: Pick<ApiKeyStore, 'touch'> }): KeyUses {
  let uses = new Map<number, Date>();
  return {
    note(keyId, at) {
      uses.set(keyId, at);
    },
    async flush() {
      if (uses.size === 0) return;
      const flushed = uses;
      uses = new Map();
      try {
        await keys.touch(flushed);
      } catch (error) {
        uses = new Map([...flushed, ...uses]);
        throw error;
      }
    },
  };
}

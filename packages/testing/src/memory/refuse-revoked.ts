import { invalidCredential, type Author } from '@plugin-config/domain';
import type { MemoryState } from './memory-state.ts';

/** Refuses what an author wants to store whose key is revoked. */
export function refuseRevoked({ keys }: MemoryState, { actor: { keyId } }: Author): void {
  const revokedAt = keyId === null ? null : (keys.get(keyId)?.revokedAt ?? null);
  if (revokedAt !== null) throw invalidCredential();
}

import type { Clock } from '../kernel/clock.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Randomness } from '../kernel/randomness.ts';
import { newToken, type ApiKey, type Token } from './api-key.ts';
import type { ApiKeyStore, TokenHasher } from './api-key-store.ts';

interface Dependencies {
  readonly keys: ApiKeyStore;
  readonly hasher: TokenHasher;
  readonly randomness: Randomness;
  readonly clock: Clock;
}

export interface KeyRequest extends Pick<ApiKey, 'label' | 'scopes' | 'projectIds'> {
  readonly lifetimeMs: number | null;
}

/** Creates a key. Its token is returned only here: the store keeps the hash alone. */
export async function issueApiKey(
  { keys, hasher, randomness, clock }: Dependencies,
  { lifetimeMs, ...request }: KeyRequest,
): Promise<{ readonly key: ApiKey; readonly token: Token }> {
  if (request.label.trim() === '') throw new DomainError('blank', 'A key needs a label.', { attr: 'label' });
  if (request.scopes.length === 0)
    throw new DomainError('required', 'A key needs a scope.', { attr: 'scope' });
  const token = newToken(randomness);
  const createdAt = clock.now();
  const expiresAt = lifetimeMs === null ? null : new Date(createdAt.getTime() + lifetimeMs);
  const key = await keys.add({ ...request, createdAt, expiresAt, hash: hasher.hash(token) });
  return { key, token };
}

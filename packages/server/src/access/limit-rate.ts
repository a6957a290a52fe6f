import { DomainError } from '@plugin-config/domain';
import type { FastifyReply } from 'fastify';
import type { RateLimiter } from './rate-limiter.ts';

/**
 * Counts a request of the key, and says in the headers what is left.
 * @throws DomainError `throttled` if the key is over its limit
 */
export function limitRate(reply: FastifyReply, { perMinute, count }: RateLimiter, keyId: number): void {
  const { waitSeconds, remaining, fullInSeconds } = count(keyId, performance.now());
  reply
    .header('ratelimit-policy', `"key";q=${perMinute};w=60`)
    .header('ratelimit', `"key";r=${remaining};t=${fullInSeconds}`);
  if (waitSeconds === null) return;
  throw new DomainError('throttled', `Request was throttled. Expected available in ${waitSeconds} seconds.`, {
    retryAfterSeconds: waitSeconds,
  });
}

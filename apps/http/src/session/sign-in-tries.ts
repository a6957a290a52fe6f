import { isIPv6 } from 'node:net';
import { DomainError } from '@plugin-config/domain';
import { rateLimiter } from '@plugin-config/server';

const PER_MINUTE = 10;
const MAPPED = /^::ffff:(?=[\d.]+$)/i;
const GROUPS = 8;
/** A network of IPv6 has 8 groups, of which a caller owns the last 4 or more. */
const NETWORK_GROUPS = 4;

/** Limits the failed tries to sign in by the network that they come from, in the memory of the process. */
export interface SignInTries {
  /**
   * Counts a try as failed. The returned function takes that back.
   * @throws DomainError `throttled`
   */
  take(address: string, atMs: number): () => void;
}

export function signInTries(): SignInTries {
  const { count, giveBack } = rateLimiter({ perMinute: PER_MINUTE });
  return {
    take(address, atMs) {
      const network = networkOf(address);
      const { waitSeconds } = count(network, atMs);
      if (waitSeconds !== null) throw tooManyTries(waitSeconds);
      return () => giveBack(network);
    },
  };
}

/** An address of IPv4, or the first 64 bits of one of IPv6. */
export function networkOf(address: string): string {
  const plain = address.replace(MAPPED, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groupsOf = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function tooManyTries(retryAfterSeconds: number): DomainError {
  const message = `Too many tries to sign in have failed. Try again in ${retryAfterSeconds} seconds.`;
  return new DomainError('throttled', message, { retryAfterSeconds });
}

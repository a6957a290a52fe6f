import { isIPv6 } from 'node:net';
import { DomainError } from '@plugin-config/domain';
import { rateLimiter } from '@plugin-config/server';

const PER_MINUTE = 10;
const MAPPED = /^::ffff:(?=[\d.]+$)/i;
const GROUPS = 8;
/** An IPv6 caller usually controls the last 4 of 8 groups. */
const NETWORK_GROUPS = 4;

/**
 * Limits failed sign-ins per network, in the memory of the process. The returned function counts one, or throws `throttled`, and
 * returns a function that undoes it.
 */
export function signInAttempts(): (address: string, atMs: number) => () => void {
  const { count, refund } = rateLimiter({ perMinute: PER_MINUTE });
  return (address, atMs) => {
    const network = networkOf(address);
    const { waitSeconds } = count(network, atMs);
    if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
    return () => refund(network);
  };
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address. */
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

function tooManyAttempts(retryAfterSeconds: number): DomainError {
  const message = `Too many failed sign-ins. Try again in ${retryAfterSeconds} seconds.`;
  return new DomainError('throttled', message, { retryAfterSeconds });
}

import { Resolver } from 'node:dns/promises';
import type { ResolveName } from './guarded-lookup.ts';

/** No server is queried for this name (RFC 6761). */
const LOCALHOST = /^(?:.+\.)?localhost\.?$/i;
const OPTIONS = { timeout: 3000, tries: 2 };

/**
 * Resolves names by DNS alone. The system's resolver would use a thread per name, of which a process has four, so a few names whose
 * servers do not respond would delay all others.
 */
export function dnsResolver(): ResolveName {
  const resolver = new Resolver(OPTIONS);
  return async (name) => {
    if (LOCALHOST.test(name)) return ['127.0.0.1'];
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = found.find((result) => result.status === 'rejected');
    if (addresses.length === 0 && failed !== undefined) throw failed.reason;
    return addresses;
  };
}

import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { AddressRules } from '@plugin-config/domain';
import { failure } from './failure.ts';

/** Returns all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** The maximum number of addresses of a name that are checked and tried. A name can have thousands. */
const ADDRESSES_MAX = 32;

/**
 * Returns a look-up for a connection, which then uses only addresses that were checked, even if the name resolves differently
 * the next time. One forbidden address among them is enough to reject a name. The connection must request all addresses of a name.
 */
export function guardedLookup(
  resolve: ResolveName,
  { isForbidden }: Pick<AddressRules, 'isForbidden'>,
): LookupFunction {
  return callbackify(async (name: string, _options: object): Promise<LookupAddress[]> => {
    const addresses = (await resolve(name)).slice(0, ADDRESSES_MAX);
    if (addresses.some(isForbidden)) throw failure('FORBIDDEN_ADDRESS');
    // An alias of a name that is gone has no addresses. An empty list would be an uncaught exception in `node:net`.
    if (addresses.length === 0) throw failure('ENODATA');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
}

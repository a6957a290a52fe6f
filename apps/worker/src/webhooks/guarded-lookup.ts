import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { AddressRules } from '@plugin-config/domain';

/** Returns all addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** The addresses of a name include one that webhooks must not reach. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The name exists, but has no addresses: for example, it is an alias of one that is gone. */
class NoAddress extends Error {
  readonly code = 'ENODATA';
}

/**
 * Returns a look-up for a connection, which then uses only addresses that were checked, even if the name resolves differently
 * the next time. One forbidden address is enough to reject a name. The connection must request all addresses of a name.
 */
export function guardedLookup(
  resolve: ResolveName,
  { isForbidden }: Pick<AddressRules, 'isForbidden'>,
): LookupFunction {
  return callbackify(async (name: string, _options: object): Promise<LookupAddress[]> => {
    const addresses = await resolve(name);
    if (addresses.some(isForbidden)) throw new ForbiddenAddress();
    // An empty list would be an uncaught exception in `node:net`.
    if (addresses.length === 0) throw new NoAddress();
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
}

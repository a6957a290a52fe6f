import { BlockList, isIP, isIPv6 } from 'node:net';
import type { AddressRules } from '@plugin-config/domain';

/** IPv4 ranges that are not public, from the special-purpose registry of IANA, with multicast and reserved ranges. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/**
 * The only IPv6 range that is public. It excludes loopback, link-local, unique local, multicast, and IPv4 addresses that are mapped
 * or translated (NAT64).
 */
const PUBLIC_IPV6 = '2000::/3';

/** The exceptions: protocol assignments with Teredo, documentation, and 6to4. */
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const [FORBIDDEN, PUBLIC] = [listOf([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]), listOf([PUBLIC_IPV6])];

interface WebhookEnv {
  readonly WEBHOOK_ALLOW_ADDRESSES: readonly string[];
  readonly WEBHOOK_ALLOW_HTTP: boolean;
}

/** Returns which URLs webhooks may have. */
export function addressRulesIn(env: WebhookEnv): AddressRules {
  const allowed = listOf(env.WEBHOOK_ALLOW_ADDRESSES);
  return {
    allowHttp: env.WEBHOOK_ALLOW_HTTP,
    parseUrl: URL.parse,
    isForbidden: (address) => {
      // A zone selects a network of this host.
      if (isIP(address) === 0 || address.includes('%')) return true;
      if (isIPv6(address)) {
        if (allowed.check(address, 'ipv6')) return false;
        return !PUBLIC.check(address, 'ipv6') || FORBIDDEN.check(address, 'ipv6');
      }
      return !allowed.check(address) && FORBIDDEN.check(address);
    },
  };
}

/** Returns which URLs issuers of tokens may have. HTTP is only for addresses inside. */
export function issuerRulesIn({
  OIDC_ALLOW_ADDRESSES: addresses,
}: {
  readonly OIDC_ALLOW_ADDRESSES: readonly string[];
}): AddressRules {
  return addressRulesIn({ WEBHOOK_ALLOW_ADDRESSES: addresses, WEBHOOK_ALLOW_HTTP: addresses.length > 0 });
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const BITS = /^\d{1,3}$/;
const BITS_MAX = { 4: 32, 6: 128 } as const;

/** Returns whether a text is an address, or a range such as `10.0.0.0/8`. */
export function isAddressRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (BITS.test(bits) && Number(bits) <= BITS_MAX[version]);
}

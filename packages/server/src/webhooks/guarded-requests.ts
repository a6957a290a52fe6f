import http from 'node:http';
import https from 'node:https';
import { literalAddress, type AddressRules } from '@plugin-config/domain';
import { VERSION } from '../lifecycle/read-options.ts';
import { failure } from './failure.ts';
import { guardedLookup, type ResolveName } from './guarded-lookup.ts';
import { dnsResolver } from './resolve-name.ts';

export interface RequestRules {
  readonly rules: AddressRules;
  readonly resolve?: ResolveName;
  readonly timeoutMs?: number;
}

interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: http.OutgoingHttpHeaders;
  readonly signal: AbortSignal;
}

/** No connection is used twice, so no receiver gets one that was checked for another. Proxies in the environment are ignored. */
const NO_REUSE = { keepAlive: false, maxCachedSessions: 0 };

/** Returns a function that opens requests. They connect only to addresses that the rules allow, and follow no redirect. */
export function guardedRequests({
  rules,
  resolve = dnsResolver(),
}: RequestRules): (url: URL, options: RequestOptions) => http.ClientRequest {
  const lookup = guardedLookup(resolve, rules);
  const agents = { 'http:': new http.Agent(NO_REUSE), 'https:': new https.Agent(NO_REUSE) };
  return (url, { headers: sent, ...given }) => {
    // The address in a URL is not looked up. The rules may have changed since it was stored.
    const address = literalAddress(url);
    if (address !== null && rules.isForbidden(address)) throw failure('FORBIDDEN_ADDRESS');
    if (url.protocol === 'http:' && !rules.allowHttp) throw failure('PLAIN_HTTP');
    const secure = url.protocol === 'https:';
    const agent = agents[secure ? 'https:' : 'http:'];
    const headers = { ...sent, 'user-agent': `plugin-config-service/${VERSION}` };
    // The look-up gets all addresses of a name because of `autoSelectFamily`.
    const options = { ...given, headers, agent, lookup, autoSelectFamily: true };
    return (secure ? https : http).request(url, options);
  };
}

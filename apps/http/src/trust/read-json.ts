import http from 'node:http';
import https from 'node:https';
import { literalAddress, type AddressRules } from '@plugin-config/domain';
import { dnsResolver, failure, guardedLookup, VERSION, type ResolveName } from '@plugin-config/server';

const TIMEOUT_MS = 5000;
const BYTES_MAX = 256 * 1024;
const OK = 200;
const NO_REUSE = { keepAlive: false, maxCachedSessions: 0 };

interface Options {
  readonly rules: AddressRules;
  readonly resolve?: ResolveName;
  readonly timeoutMs?: number;
}

/**
 * Returns a function that reads a JSON document of an issuer. It connects only to addresses that the rules allow, follows no
 * redirect, and gives up after five seconds and 256 KiB.
 */
export function jsonReader({
  rules,
  resolve = dnsResolver(),
  timeoutMs = TIMEOUT_MS,
}: Options): (url: string) => Promise<unknown> {
  const lookup = guardedLookup(resolve, rules);
  const agents = { 'http:': new http.Agent(NO_REUSE), 'https:': new https.Agent(NO_REUSE) };
  return async (text) => {
    const url = new URL(text);
    const secure = url.protocol === 'https:';
    const address = literalAddress(url);
    if (!secure && !(url.protocol === 'http:' && rules.allowHttp && address !== null))
      throw failure('PLAIN_HTTP');
    if (address !== null && rules.isForbidden(address)) throw failure('FORBIDDEN_ADDRESS');
    const headers = { accept: 'application/json', 'user-agent': `plugin-config-service/${VERSION}` };
    const agent = agents[secure ? 'https:' : 'http:'];
    const signal = AbortSignal.timeout(timeoutMs);
    // The look-up gets all addresses of a name because of `autoSelectFamily`.
    const options = { headers, agent, lookup, autoSelectFamily: true, signal };
    const request = (secure ? https : http).get(url, options);
    return JSON.parse(await bodyOf(request)) as unknown;
  };
}

function bodyOf(request: http.ClientRequest): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request.on('response', (response) => {
    if (response.statusCode !== OK) {
      request.destroy(new Error(`status ${response.statusCode}`));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) request.destroy(new Error('the response is too large'));
      chunks.push(chunk);
    });
    response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    response.on('error', reject);
  });
  request.on('information', () => request.destroy(failure('TOO_MANY_RESPONSES')));
  request.on('error', reject);
  request.on('close', () => reject(failure('ECONNRESET')));
  return promise;
}

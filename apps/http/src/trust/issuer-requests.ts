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

export interface IssuerRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface IssuerResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type SendToIssuer = (url: string, request: IssuerRequest) => Promise<IssuerResponse>;

/**
 * Returns a function that sends a request to an issuer. It connects only to addresses that the rules allow, follows no redirect, and
 * gives up after five seconds and 256 KiB.
 */
export function issuerRequests({
  rules,
  resolve = dnsResolver(),
  timeoutMs = TIMEOUT_MS,
}: Options): SendToIssuer {
  const lookup = guardedLookup(resolve, rules);
  const agents = { 'http:': new http.Agent(NO_REUSE), 'https:': new https.Agent(NO_REUSE) };
  return async (text, { method, headers: sent, body }) => {
    const url = new URL(text);
    const secure = url.protocol === 'https:';
    const address = literalAddress(url);
    if (!secure && !(url.protocol === 'http:' && rules.allowHttp && address !== null))
      throw failure('PLAIN_HTTP');
    if (address !== null && rules.isForbidden(address)) throw failure('FORBIDDEN_ADDRESS');
    const headers = { ...sent, 'user-agent': `plugin-config-service/${VERSION}` };
    const agent = agents[secure ? 'https:' : 'http:'];
    const signal = AbortSignal.timeout(timeoutMs);
    // The look-up gets all addresses of a name because of `autoSelectFamily`.
    const options = { method, headers, agent, lookup, autoSelectFamily: true, signal };
    const request = (secure ? https : http).request(url, options);
    request.end(body);
    return responseTo(request);
  };
}

/** Returns a function that reads a JSON document of an issuer. */
export function jsonReader(send: SendToIssuer): (url: string) => Promise<unknown> {
  return async (url) => {
    const { status, body } = await send(url, { method: 'GET', headers: { accept: 'application/json' } });
    if (status !== OK) throw new Error(`status ${status}`);
    return JSON.parse(body) as unknown;
  };
}

function responseTo(request: http.ClientRequest): Promise<IssuerResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IssuerResponse>();
  request.on('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    const chunks: Buffer[] = [];
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > BYTES_MAX) request.destroy(new Error('the response is too large'));
      chunks.push(chunk);
    });
    response.on('end', () => resolve({ status, headers, body: Buffer.concat(chunks).toString() }));
    response.on('error', reject);
  });
  request.on('information', () => request.destroy(failure('TOO_MANY_RESPONSES')));
  request.on('error', reject);
  request.on('close', () => reject(failure('ECONNRESET')));
  return promise;
}

import type http from 'node:http';
import { literalAddress } from '@plugin-config/domain';
import { failure, guardedRequests, type RequestRules } from '@plugin-config/server';

const TIMEOUT_MS = 5000;
const BYTES_MAX = 256 * 1024;
const OK = 200;

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
export function issuerRequests({ timeoutMs = TIMEOUT_MS, ...options }: RequestRules): SendToIssuer {
  const open = guardedRequests(options);
  return async (text, { method, headers, body }) => {
    const url = new URL(text);
    const isPlain = url.protocol === 'http:' && options.rules.allowHttp && literalAddress(url) !== null;
    if (url.protocol !== 'https:' && !isPlain) throw failure('PLAIN_HTTP');
    const request = open(url, { method, headers, signal: AbortSignal.timeout(timeoutMs) });
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

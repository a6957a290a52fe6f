import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface SeenRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The decompressed body. */
  readonly text: string;
}

export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Writes the body of a response that stays open. */
  readonly stream?: (response: ServerResponse) => void;
}

/** An HTTP server that sends the responses of a test and records the requests. */
export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

/** Starts a fake service. Requests are numbered from 1. "hang up" closes the connection without a response. */
export async function fakeService(
  respond: (
    request: SeenRequest,
    number: number,
  ) => FakeResponse | 'hang up' | Promise<FakeResponse | 'hang up'>,
): Promise<FakeService> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const reply = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = incoming;
      const bytes = await buffer(incoming);
      const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const request = { method, path, headers, bytes, text };
      const response = await respond(request, requests.push(request));
      if (response === 'hang up') {
        outgoing.destroy();
        return;
      }
      const { status = 200, headers: responseHeaders = {}, body, stream } = response;
      outgoing.writeHead(status, responseHeaders);
      if (stream !== undefined) {
        outgoing.flushHeaders();
        stream(outgoing);
        return;
      }
      outgoing.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
    };
    void reply();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns an error response of the service. */
export function errorResponse(
  status: number,
  code: string,
  {
    attr = null,
    headers = {},
  }: { readonly attr?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): FakeResponse {
  const type = status === 400 ? 'validation_error' : 'invalid_request';
  return { status, headers, body: { type, code, detail: `It is ${code}.`, attr } };
}

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body, unpacked. */
  readonly text: string;
}

export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Writes the body of an answer that stays open. */
  readonly stream?: (answer: ServerResponse) => void;
}

/** An HTTP server that answers as the test says, and remembers what it was asked. */
export interface FakeService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

/** `answer` gets the request and its number, from 1 on. "hang up" closes the connection without an answer. */
export async function fakeService(
  answer: (request: SeenRequest, number: number) => FakeAnswer | 'hang up' | Promise<FakeAnswer | 'hang up'>,
): Promise<FakeService> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const reply = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = incoming;
      const bytes = await buffer(incoming);
      const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
      const request = { method, path, headers, bytes, text };
      const answered = await answer(request, requests.push(request));
      if (answered === 'hang up') {
        outgoing.destroy();
        return;
      }
      const { status = 200, headers: own = {}, body, stream } = answered;
      outgoing.writeHead(status, own);
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

/** An error as the service answers it. */
export function errorAnswer(
  status: number,
  code: string,
  {
    attr = null,
    headers = {},
  }: { readonly attr?: string | null; readonly headers?: Readonly<Record<string, string>> } = {},
): FakeAnswer {
  const type = status === 400 ? 'validation_error' : 'invalid_request';
  return { status, headers, body: { type, code, detail: `It is ${code}.`, attr } };
}

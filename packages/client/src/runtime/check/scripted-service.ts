import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Closes the connection before the response, or halfway through its body. */
  readonly cut?: 'before' | 'halfway';
}

/** A request for the configuration. It waits until the script responds. */
export interface Poll {
  readonly at: number;
  readonly authorization: string | undefined;
  /** The version or the cursor that the runtime sent. */
  readonly known: string | null;
  readonly waitSeconds: number | null;
  respond(reply: Reply): void;
}

export interface SeenReport {
  readonly instance: string;
  readonly text: string;
}

/** A service that does only what the script of a rule says. */
export interface ScriptedService {
  readonly url: string;
  /** The polls without a response. */
  readonly polls: Poll[];
  readonly reports: SeenReport[];
  /** The next responses to reports. Afterwards they are 204. */
  readonly replies: Reply[];
  close(): Promise<void>;
}

const POLL = /^\/api\/(?:projects\/[^/]+\/\w+\/runtime|runtime\/\w+)$/;
const REPORT = /^\/api\/(?:projects\/[^/]+\/\w+\/runtimes|runtime\/\w+\/instances)\/([^/]+)$/;

export async function scriptedService(): Promise<ScriptedService> {
  const polls: Poll[] = [];
  const reports: SeenReport[] = [];
  const replies: Reply[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const { method, url = '', headers } = request;
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      const body = await text(request);
      const instance = REPORT.exec(pathname)?.[1];
      if (method === 'PUT' && instance !== undefined) {
        reports.push({ instance, text: body });
        send(response, replies.shift() ?? { status: 204 });
      } else if (method === 'GET' && POLL.test(pathname)) {
        const wait = searchParams.get('wait');
        polls.push({
          at: performance.now(),
          authorization: headers.authorization,
          known: /^"(.+)"$/.exec(headers['if-none-match'] ?? '')?.[1] ?? searchParams.get('after'),
          waitSeconds: wait === null ? null : Number(wait),
          respond: (reply) => send(response, reply),
        });
      } else {
        send(response, denial(404, 'not_found'));
      }
    };
    // A runtime that is killed leaves half a request.
    receive().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    polls,
    reports,
    replies,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function denial(status: number, code: string): Reply {
  return {
    status,
    body: { type: 'invalid_request', code, detail: `The request was rejected: ${code}.`, attr: null },
  };
}

function send(response: ServerResponse, { status, headers, body, cut }: Reply): void {
  if (cut === 'before') {
    response.destroy();
    return;
  }
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  const content = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  response.writeHead(status, { ...headers, ...content });
  if (cut === 'halfway' && bytes)
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

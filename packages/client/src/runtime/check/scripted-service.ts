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

/** A request of a runtime about jobs: the fields of its body, whatever they are. */
export interface JobRequest {
  readonly at: number;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request for jobs. It waits until the script responds. */
export interface Claim extends JobRequest {
  respond(reply: Reply): void;
}

/** A renewal of a lease, or a result. */
export interface SeenJob extends JobRequest {
  readonly id: string;
}

/** A service that does only what the script of a rule says. */
export interface ScriptedService {
  readonly url: string;
  /** The polls without a response. */
  readonly polls: Poll[];
  readonly reports: SeenReport[];
  /** The next responses to reports. Afterwards they are 204. */
  readonly replies: Reply[];
  /** The claims without a response whose runtimes still wait for one. */
  readonly claims: Claim[];
  readonly renewals: SeenJob[];
  /** The next responses to renewals. Afterwards the lease is renewed. */
  readonly renewalReplies: Reply[];
  readonly results: SeenJob[];
  /** The next responses to results. Afterwards they are 204. */
  readonly resultReplies: Reply[];
  close(): Promise<void>;
}

const DEFAULT_LEASE_SECONDS = 60;
const POLL = /^\/api\/(?:projects\/[^/]+\/\w+\/runtime|runtime\/\w+)$/;
const CLAIM = /^\/api\/runtime\/\w+\/jobs\/claim$/;
const JOB = /^\/api\/runtime\/\w+\/jobs\/([^/]+)(\/result)?$/;
const REPORT = /^\/api\/(?:projects\/[^/]+\/\w+\/runtimes|runtime\/\w+\/instances)\/([^/]+)$/;

export async function scriptedService(): Promise<ScriptedService> {
  const polls: Poll[] = [];
  const reports: SeenReport[] = [];
  const replies: Reply[] = [];
  const claims: Claim[] = [];
  const renewals: SeenJob[] = [];
  const renewalReplies: Reply[] = [];
  const results: SeenJob[] = [];
  const resultReplies: Reply[] = [];
  const server = createServer((request, response) => {
    const receive = async (): Promise<void> => {
      const { method, url = '', headers } = request;
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      const body = await text(request);
      const instance = REPORT.exec(pathname)?.[1];
      const [, job, result] = JOB.exec(pathname) ?? [];
      const { authorization } = headers;
      const seen = (): JobRequest => ({ at: performance.now(), authorization, body: fieldsOf(body) });
      if (method === 'PUT' && instance !== undefined) {
        reports.push({ instance, text: body });
        send(response, replies.shift() ?? { status: 204 });
      } else if (method === 'GET' && POLL.test(pathname)) {
        const wait = searchParams.get('wait');
        polls.push({
          at: performance.now(),
          authorization,
          known: /^"(.+)"$/.exec(headers['if-none-match'] ?? '')?.[1] ?? searchParams.get('after'),
          waitSeconds: wait === null ? null : Number(wait),
          respond: (reply) => send(response, reply),
        });
      } else if (method === 'POST' && CLAIM.test(pathname)) {
        const claim = { ...seen(), respond: (reply: Reply) => send(response, reply) };
        claims.push(claim);
        response.once('close', () => remove(claims, claim));
      } else if (method === 'PATCH' && job !== undefined && result === undefined) {
        const renewal = { ...seen(), id: job };
        renewals.push(renewal);
        send(response, renewalReplies.shift() ?? renewed(leaseOf(renewal)));
      } else if (method === 'PUT' && job !== undefined && result !== undefined) {
        results.push({ ...seen(), id: job });
        send(response, resultReplies.shift() ?? { status: 204 });
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
    claims,
    renewals,
    renewalReplies,
    results,
    resultReplies,
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

/** The seconds of the lease that a runtime asks for. */
export function leaseOf({ body: { lease_seconds: seconds } }: JobRequest): number {
  return typeof seconds === 'number' ? seconds : DEFAULT_LEASE_SECONDS;
}

export function leaseEnd(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

/** A response to a renewal. */
export function renewed(seconds: number, cancelled = false): Reply {
  return { status: 200, body: { cancelled, lease_expires_at: leaseEnd(seconds) } };
}

/** Returns the fields of a body; none if it is not an object. */
function fieldsOf(body: string): JobRequest['body'] {
  try {
    return { ...(JSON.parse(body) as object) };
  } catch {
    return {};
  }
}

function remove<T>(items: T[], item: T): void {
  const index = items.indexOf(item);
  if (index !== -1) items.splice(index, 1);
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

import { once } from 'node:events';
import { Agent, request as begin, type IncomingMessage } from 'node:http';

import { issueToken } from '../issue-token.ts';

interface Target {
  readonly port: number;
  readonly token: string;
}

interface Sent extends Target {
  readonly agent: Agent;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An account has a thousand waits at most. */
const WAITS_OF_ACCOUNT = 900;
/** The queue of a server has room for 511 new connections. */
const CONNECTED_AT_ONCE = 250;

/** Returns an agent that opens a connection for each concurrent request. */
export function openAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
}

/** Issues tokens of as many accounts as these waits need. */
export async function tokensFor(databaseUrl: string, waits: number): Promise<readonly string[]> {
  const tokens: string[] = [];
  for (let n = 0; n < waits; n += WAITS_OF_ACCOUNT) tokens.push(await issueToken(databaseUrl, '*'));
  return tokens;
}

/** Sends a request. Resolves to its response once the headers have arrived. */
export async function send({ port, token, agent, path, method = 'GET', headers, body }: Sent) {
  const sent = begin({
    port,
    path,
    agent,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  // Its connection is destroyed at the end of the measurement.
  sent.on('error', () => undefined).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** Runtimes that keep waiting for new versions. */
export interface Waiting extends Disposable {
  /** Resolves to the milliseconds until all runtimes have a version other than this one. */
  untilAllHave(since: string): Promise<number>;
}

interface ManyRuntimes {
  readonly port: number;
  readonly tokens: readonly string[];
  readonly path: string;
  readonly runtimes: number;
}

export async function waitForVersions({ port, tokens, path, runtimes }: ManyRuntimes): Promise<Waiting> {
  const agent = openAgent();
  const versions: string[] = [];
  const ending = new AbortController();
  let onVersion = (_before: string | undefined): void => undefined;
  const poll = async (runtime: number): Promise<void> => {
    const known = versions[runtime];
    const headers = known === undefined ? {} : { 'if-none-match': known };
    const token = tokens[runtime % tokens.length] ?? '';
    const response = await send({ port, token, agent, path: `${path}?wait=50`, headers });
    response.resume();
    await once(response, 'end');
    const { etag = '' } = response.headers;
    if (response.statusCode !== 200 && response.statusCode !== 304)
      throw new Error(`${path} responded with ${response.statusCode}`);
    versions[runtime] = etag;
    onVersion(known);
  };
  const follow = async (runtime: number): Promise<void> => {
    while (!ending.signal.aborted) await poll(runtime);
  };
  await connectAll(runtimes, poll);
  for (let runtime = 0; runtime < runtimes; runtime++)
    void follow(runtime).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  return {
    untilAllHave: async (since) => {
      const start = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      let remaining = versions.filter((version) => version === since).length;
      onVersion = (before) => {
        if (before === since && --remaining === 0) resolve();
      };
      if (remaining === 0) resolve();
      await promise;
      return performance.now() - start;
    },
    [Symbol.dispose]: () => {
      ending.abort();
      agent.destroy();
    },
  };
}

/** Opens streams and discards their events. */
export async function openStreams(
  port: number,
  tokens: readonly string[],
  path: string,
  streams: number,
): Promise<Disposable> {
  const agent = openAgent();
  const open = async (n: number): Promise<void> => {
    const response = await send({ port, token: tokens[n % tokens.length] ?? '', agent, path });
    if (response.statusCode !== 200) throw new Error(`${path} responded with ${response.statusCode}`);
    response.on('error', () => undefined).resume();
  };
  await connectAll(streams, open);
  return { [Symbol.dispose]: () => agent.destroy() };
}

async function connectAll(count: number, connect: (n: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < count; first += CONNECTED_AT_ONCE) {
    const length = Math.min(CONNECTED_AT_ONCE, count - first);
    await Promise.all(Array.from({ length }, (_, n) => connect(first + n)));
  }
}

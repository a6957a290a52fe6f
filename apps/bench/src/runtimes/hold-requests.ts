import { once } from 'node:events';
import { Agent, request as begin, type IncomingMessage } from 'node:http';

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

/** Returns an agent that opens a connection for each concurrent request. */
export function openAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
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

export async function waitForVersions(target: Target, path: string, runtimes: number): Promise<Waiting> {
  const agent = openAgent();
  const versions: string[] = [];
  const ending = new AbortController();
  let onVersion = (): void => undefined;
  const poll = async (runtime: number): Promise<void> => {
    const known = versions[runtime];
    const headers = known === undefined ? {} : { 'if-none-match': known };
    const response = await send({ ...target, agent, path: `${path}?wait=50`, headers });
    response.resume();
    await once(response, 'end');
    const { etag = '' } = response.headers;
    if (response.statusCode !== 200 && response.statusCode !== 304)
      throw new Error(`${path} responded with ${response.statusCode}`);
    versions[runtime] = etag;
    onVersion();
  };
  const follow = async (runtime: number): Promise<void> => {
    while (!ending.signal.aborted) await poll(runtime);
  };
  await Promise.all(Array.from({ length: runtimes }, (_, runtime) => poll(runtime)));
  for (let runtime = 0; runtime < runtimes; runtime++)
    void follow(runtime).catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  return {
    untilAllHave: async (since) => {
      const start = performance.now();
      const { promise, resolve } = Promise.withResolvers<void>();
      onVersion = () => {
        if (versions.every((version) => version !== since)) resolve();
      };
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
  await Promise.all(Array.from({ length: streams }, (_, n) => open(n)));
  return { [Symbol.dispose]: () => agent.destroy() };
}

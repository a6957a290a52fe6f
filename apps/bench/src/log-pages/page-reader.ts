import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

export interface LogPage {
  readonly count: number;
  readonly results: readonly { readonly message: string }[];
}

interface TimedPage {
  readonly page: LogPage;
  readonly milliseconds: number;
}

export type PageReader = (path: string) => Promise<TimedPage>;

/** Reads pages sequentially over one connection. */
export function pageReader(recordsUrl: string, token: string): PageReader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${token}` };
  return async (path) => {
    const started = performance.now();
    const request = get(`${recordsUrl}/${path}`, { agent, headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const page = (await json(response)) as LogPage;
    return { page, milliseconds: performance.now() - started };
  };
}

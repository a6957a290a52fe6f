import { startApp, type RunningApp } from '../app-process.ts';
import { issueToken } from '../issue-token.ts';

export interface Service extends RunningApp {
  readonly token: string;
  /** Reads the responses of these paths. */
  readAll(paths: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** Reads the entity tag of a path. */
  tagOf(path: string): Promise<string>;
  residentMb(): Promise<number>;
}

export async function startService(databaseUrl: string, env: NodeJS.ProcessEnv = {}): Promise<Service> {
  const token = await issueToken(databaseUrl, '*');
  const app = await startApp('http', { DATABASE_URL: databaseUrl, ...env });
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${app.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
    return response;
  };
  const read = async (path: string): Promise<string> => (await get(path)).text();
  return {
    ...app,
    token,
    readAll: async (paths) => {
      const responses: Record<string, string> = {};
      for (const path of paths) responses[path] = await read(path);
      return responses;
    },
    tagOf: async (path) => {
      const response = await get(path);
      await response.arrayBuffer();
      return response.headers.get('etag') ?? '';
    },
    residentMb: async () => {
      const bytes = /^process_resident_memory_bytes (\S+)/m.exec(await read('/metrics'))?.[1];
      return Number(bytes) / 1e6;
    },
  };
}

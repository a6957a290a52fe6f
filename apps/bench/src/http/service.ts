import { startApp, type RunningApp } from '../app-process.ts';
import { issueToken } from '../issue-token.ts';

export interface Service extends RunningApp {
  readonly token: string;
  /** Reads the answers to these addresses, for the limit server. */
  answersTo(paths: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** The entity tag of the response of this address. */
  tagOf(path: string): Promise<string>;
  residentMb(): Promise<number>;
}

/** Starts the HTTP app. */
export async function startService(databaseUrl: string): Promise<Service> {
  const token = await issueToken(databaseUrl, '*');
  const app = await startApp('http', { DATABASE_URL: databaseUrl });
  const ask = async (path: string): Promise<Response> => {
    const answer = await fetch(`http://127.0.0.1:${app.port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer;
  };
  const read = async (path: string): Promise<string> => (await ask(path)).text();
  return {
    ...app,
    token,
    answersTo: async (paths) => {
      const answers: Record<string, string> = {};
      for (const path of paths) answers[path] = await read(path);
      return answers;
    },
    tagOf: async (path) => {
      const answer = await ask(path);
      await answer.arrayBuffer();
      return answer.headers.get('etag') ?? '';
    },
    residentMb: async () => {
      const bytes = /^process_resident_memory_bytes (\S+)/m.exec(await read('/metrics'))?.[1];
      return Number(bytes) / 1e6;
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueApiKey } from '@plugin-config/domain';
import {
  nodeRandomness,
  openDatabase,
  postgresApiKeyStore,
  sha256TokenHasher,
} from '@plugin-config/persistence';

export interface Service {
  readonly process: ChildProcess;
  readonly port: number;
  readonly token: string;
  /** Its answer to each of these addresses, for the limit to repeat. */
  answersTo(paths: readonly string[]): Promise<Readonly<Record<string, string>>>;
  residentMb(): Promise<number>;
}

const MAIN = fileURLToPath(new URL('../../../http/src/main.ts', import.meta.url));

/** As `npm start` runs it. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--no-parallel-scavenge', '--max-old-space-size=1024'];
const COMPILED = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));

/** The HTTP app as it is deployed: its own process, its default settings. */
export async function startService(databaseUrl: string): Promise<Service> {
  const token = await issueToken(databaseUrl);
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), NODE_COMPILE_CACHE: COMPILED },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.text();
  };
  while (
    !(await read('/readyz').then(
      () => true,
      () => false,
    ))
  )
    await sleep(50);
  return {
    process: child,
    port,
    token,
    answersTo: async (paths) => {
      const answers: Record<string, string> = {};
      for (const path of paths) answers[path] = await read(path);
      return answers;
    },
    residentMb: async () => {
      const bytes = /^process_resident_memory_bytes (\S+)/m.exec(await read('/metrics'))?.[1];
      return Number(bytes) / 1e6;
    },
  };
}

async function issueToken(databaseUrl: string): Promise<string> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 1 });
  const { token } = await issueApiKey(
    {
      keys: postgresApiKeyStore(database),
      hasher: sha256TokenHasher(),
      randomness: nodeRandomness(),
      clock: { now: () => new Date() },
    },
    { label: 'benchmark', scopes: ['*'], projectIds: [], lifetimeMs: null },
  );
  await database.close();
  return token;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
const SAMPLE = /The sample is project (?<project>\d+): (?<url>http:\/\/[^/]+)\//;
const BANNER = /API key +(?<key>\w+) .*\n\nPress Ctrl-C to stop it\.\n\n/;

/** `npm start -- --sample`, or the command of another folder, with a separate data directory. */
export interface SampleService extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly projectId: number;
  /** What all processes have printed. */
  readonly output: () => string;
}

export async function sampleService(main = MAIN): Promise<SampleService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sample-'));
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', WORKER_PORT: '0' };
  const child = spawn(process.execPath, [main, 'start', '--sample'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (BANNER.test(output)) resolve();
    });
    void ended.then(() => reject(new Error(`It ended: ${output}`)));
  });
  const { url = '', project } = SAMPLE.exec(output)?.groups ?? {};
  return {
    url,
    key: BANNER.exec(output)?.groups?.['key'] ?? '',
    projectId: Number(project),
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

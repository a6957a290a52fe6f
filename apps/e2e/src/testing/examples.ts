import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../tools/free-port.ts';
import { PYTHON } from './python.ts';

const START = join(import.meta.dirname, '../../../../examples/start.ts');

/** `npm run examples` with a separate data directory. */
export interface Examples extends AsyncDisposable {
  readonly shop: string;
  readonly service: string;
  /** What all processes have printed. */
  readonly output: () => string;
}

export async function startExamples(): Promise<Examples> {
  const dataDir = await mkdtemp(join(tmpdir(), 'examples-'));
  const [port, workerPort, shopPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    SHOP_PORT: String(shopPort),
    PYTHON,
    PAUSE_SECONDS: '1',
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('The shop: ')) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    void ended.then(() => reject(new Error(`It ended: ${output}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  await ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    shop: `http://localhost:${shopPort}`,
    service: `http://127.0.0.1:${port}`,
    output: () => output,
    [Symbol.asyncDispose]: stop,
  };
}

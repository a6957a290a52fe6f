import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// npm run examples: the service, the shop, and the host that runs the plugins of its customers.

const {
  DATA_DIR = '.data',
  PORT = '8000',
  WORKER_PORT = '8001',
  SHOP_PORT = '3000',
  PYTHON = 'python3',
} = process.env;
const [service, worker] = [PORT, WORKER_PORT].map((port) => `http://127.0.0.1:${port}`);
const ROOT = join(import.meta.dirname, '..');
const DATA = resolve(ROOT, DATA_DIR);
const DAY_MS = 24 * 60 * 60 * 1000;
const POLL_MS = 200;

const children: ChildProcess[] = [];

/** Stops everything, the service last, because the others use it. */
const stop = (): void => children.toReversed().forEach((child) => child.kill('SIGTERM'));
process.once('SIGINT', stop).once('SIGTERM', stop);

/** Starts a program. If it ends, everything stops. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd = ROOT): void {
  // In a separate process group, so Ctrl-C reaches only this process, which stops the others.
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    detached: true,
  });
  child.once('error', (error) => console.error(String(error)));
  children.push(child);
  void once(child, 'close').then(stop, stop);
}

async function untilReady(url = ''): Promise<void> {
  const isReady = async (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await sleep(POLL_MS);
}

/** Issues a key for a day, with the first key of the service. */
async function issueKey(label: string, scopes: readonly string[]): Promise<string> {
  const key = readFileSync(join(DATA, 'api-key'), 'utf8').trim();
  const response = await fetch(`${service}/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ label, scopes, expires_at: new Date(Date.now() + DAY_MS).toISOString() }),
  });
  if (!response.ok) throw new Error(`The key was not issued: ${await response.text()}`);
  return ((await response.json()) as { readonly token: string }).token;
}

try {
  run(process.execPath, ['apps/cli/src/main.ts', 'start'], {
    EMBED_ORIGINS: `http://localhost:${SHOP_PORT}`,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    // The shop is on this machine.
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8',
  });
  await Promise.all([service, worker].map(untilReady));
  const shopScopes = ['plugin_registry:write', 'project:write', 'plugin:write'];
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'examples/shop/server.ts'], {
    PLUGINS_URL: service,
    PLUGINS_KEY: await issueKey('Shop', shopScopes),
    SHOP_PORT,
  });
  const files = join(DATA, 'host-python');
  mkdirSync(files, { recursive: true });
  const hostKey = await issueKey('Plugin host', ['plugin_runtime', 'plugin_log:write']);
  run(
    PYTHON,
    ['host.py'],
    {
      API: `${service}/api/runtime/plugin_configs`,
      WORKER_URL: worker,
      KEY: hostKey,
      CONFIG_FILE: join(files, 'projects.json'),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    join(ROOT, 'examples/host-python'),
  );
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
  stop();
}

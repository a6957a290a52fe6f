import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readEnv as readHttpEnv } from '../../apps/http/src/env.ts';
import { readEnv as readWorkerEnv } from '../../apps/worker/src/env.ts';
import { composeContainers, composeErrors, readCompose } from './compose.ts';
import { IMAGE, type Container } from './container.ts';
import { kubernetesContainers, readManifests } from './kubernetes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLUSTER = 'deploy/compose/compose.yaml';
const COMPOSE_FILES = ['compose.yaml', CLUSTER];
const KUBERNETES = 'deploy/kubernetes';
const MANIFESTS = readManifests(ROOT, KUBERNETES);
const HEALTH_PATHS = new Set(['/livez', '/readyz']);
/** Variables that hold a password or a key. */
const SECRETS = /PASSWORD|SECRETS_KEYS|DATABASE_URL|^(?:CLICKHOUSE|NATS)_URL/;
/** NATS has no password on a single machine, where it is reachable only within the network of the Compose file. */
const OPEN = new Set(['compose.yaml: worker NATS_URL']);

const containers = [
  ...COMPOSE_FILES.flatMap((path) => composeContainers(ROOT, path)),
  ...kubernetesContainers(MANIFESTS),
];
const ours = containers.filter(({ image }) => image === IMAGE);

/** Imported dynamically, because a static import would create a cycle: the tests of the CLI import tools. */
const CLI_SETTINGS = join(ROOT, 'apps/cli/src/settings.ts');
const { readSettings: readCliEnv } = (await import(CLI_SETTINGS)) as {
  readSettings(env: NodeJS.ProcessEnv): Promise<unknown>;
};

const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const imageEnv = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (?<pairs>.*)$/gm)].flatMap(({ groups }) =>
    (groups?.['pairs'] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

interface App {
  /** Reads the settings, and returns where the app listens, if anywhere. */
  listen(env: Readonly<Record<string, string>>): Promise<{ readonly host?: string; readonly port?: number }>;
}

const APPS: Readonly<Record<string, App>> = {
  'apps/http/src/main.ts': {
    listen: async (env) => {
      const { HOST, PORT } = readHttpEnv(env);
      return { host: HOST, port: PORT };
    },
  },
  'apps/worker/src/main.ts': {
    listen: async (env) => {
      const { WORKER_HOST, WORKER_PORT } = readWorkerEnv(env);
      return { host: WORKER_HOST, port: WORKER_PORT };
    },
  },
  'apps/cli/src/main.ts': { listen: async (env) => (await readCliEnv(env), {}) },
};

const appOf = ({ args: [main = ''] }: Container): App => {
  const app = APPS[main];
  if (app === undefined) throw new Error(`There is no app ${main}.`);
  return app;
};

test('each deployment has containers of every app', () => {
  const files = [...COMPOSE_FILES, KUBERNETES];
  for (const file of files) {
    const mains = ours.filter(({ where }) => where.startsWith(file)).map(({ args }) => args[0]);
    expect(new Set(mains)).toEqual(new Set(Object.keys(APPS)));
  }
});

test.each(ours)('$where has only settings that its app knows, with valid values', async (container) => {
  const read = new Set<string>();
  const env = new Proxy(container.env, {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  await appOf(container).listen(env);
  expect(Object.keys(container.env).filter((name) => !read.has(name))).toEqual([]);
});

test.each(ours)('$where exposes and probes the port of its app', async (container) => {
  const { host, port } = await appOf(container).listen({ ...imageEnv, ...container.env });
  const reached = [...container.ports, ...container.probes.map((probe) => probe.port)];
  expect(reached.filter((one) => one !== port)).toEqual([]);
  expect(container.probes.filter(({ path }) => !HEALTH_PATHS.has(path))).toEqual([]);
  if (port === undefined) return;
  expect(host).toBe('0.0.0.0');
  expect(container.probes).not.toEqual([]);
  expect(dockerfile).toMatch(new RegExp(`^EXPOSE .*\\b${port}\\b`, 'm'));
});

test('Compose builds the image from the Dockerfile, which sets the user and the entry point', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node",/m);
  for (const path of COMPOSE_FILES) {
    const services = Object.values(readCompose(ROOT, path).services).filter(({ image }) => image === IMAGE);
    expect(services.map(({ build = '' }) => resolve(ROOT, dirname(path), build))).toEqual(
      services.map(() => ROOT),
    );
  }
});

test('deployments contain no secrets', () => {
  const found = containers.flatMap(({ where, env, secrets }) =>
    Object.keys(env)
      .filter((name) => SECRETS.test(name) && !secrets.has(name))
      .map((name) => `${where} ${name}`),
  );
  expect(found.filter((one) => !OPEN.has(one))).toEqual([]);
  expect(MANIFESTS.filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test.each(COMPOSE_FILES)('%s follows the Compose schema', (path) => {
  const compose = readCompose(ROOT, path);
  expect(composeErrors(compose)).toEqual([]);
  const [[name, service] = ['', {}]] = Object.entries(compose.services);
  expect(composeErrors({ services: { [name]: { ...service, imaeg: 'x' } } } as never)).not.toEqual([]);
});

test('the balancer distributes requests over all apps', async () => {
  const text = readFileSync(join(ROOT, 'deploy/compose/haproxy.cfg'), 'utf8');
  const servers = [...text.matchAll(/^ {2}server (?<name>\S+) (?<host>[^:\s]+):(?<port>\d+)$/gm)];
  const listening = ours
    .filter(({ where }) => where.startsWith(CLUSTER))
    .map(async (container) => {
      const { port } = await appOf(container).listen({ ...imageEnv, ...container.env });
      return port === undefined ? [] : [`${container.where.split(' ').at(-1)}:${port}`];
    });
  expect(servers.map(({ groups }) => `${groups?.['host']}:${groups?.['port']}`).toSorted()).toEqual(
    (await Promise.all(listening)).flat().toSorted(),
  );
});

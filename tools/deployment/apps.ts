import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readEnv as readHttpEnv } from '../../apps/http/src/env.ts';
import { readEnv as readWorkerEnv } from '../../apps/worker/src/env.ts';
import type { Container } from './container.ts';

export const ROOT = resolve(import.meta.dirname, '../..');
const HEALTH_PATHS = new Set(['/livez', '/readyz']);
/** Variables that hold a password or a key. */
const SECRETS = /PASSWORD|SECRETS_KEYS|DATABASE_URL|^(?:CLICKHOUSE|NATS)_URL/;

/** Imported dynamically, because a static import would create a cycle: the tests of the CLI import tools. */
const CLI_SETTINGS = join(ROOT, 'apps/cli/src/settings.ts');
const { readSettings: readCliEnv } = (await import(CLI_SETTINGS)) as {
  readSettings(env: NodeJS.ProcessEnv): Promise<unknown>;
};

export const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
export const imageEnv = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (?<pairs>.*)$/gm)].flatMap(({ groups }) =>
    (groups?.['pairs'] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
  ),
);

interface App {
  /** Reads the settings, and returns where the app listens, if anywhere. */
  listen(env: Readonly<Record<string, string>>): Promise<{ readonly host?: string; readonly port?: number }>;
}

export const APPS: Readonly<Record<string, App>> = {
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

export const appOf = ({ args: [main = ''] }: Container): App => {
  const app = APPS[main];
  if (app === undefined) throw new Error(`There is no app ${main}.`);
  return app;
};

/** Returns the variables that the app of a container does not read. Rejects if a value is invalid. */
export async function unknownSettings(container: Container): Promise<readonly string[]> {
  const read = new Set<string>();
  const env = new Proxy(container.env, {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
  await appOf(container).listen(env);
  return Object.keys(container.env).filter((name) => !read.has(name));
}

/** Returns what is wrong with the ports and probes of a container: they must be those of its app. */
export async function portProblems(container: Container): Promise<readonly string[]> {
  const { host, port } = await appOf(container).listen({ ...imageEnv, ...container.env });
  const reached = [...container.ports, ...container.probes.map((probe) => probe.port)];
  const problems = [
    ...reached.filter((one) => one !== port).map((one) => `port ${one}`),
    ...container.probes.filter(({ path }) => !HEALTH_PATHS.has(path)).map(({ path }) => `probe ${path}`),
  ];
  if (port === undefined) return problems;
  return [
    ...problems,
    ...(host === '0.0.0.0' ? [] : [`host ${host}`]),
    ...(container.probes.length > 0 ? [] : ['no probes']),
    ...(new RegExp(`^EXPOSE .*\\b${port}\\b`, 'm').test(dockerfile) ? [] : [`${port} is not exposed`]),
  ];
}

/** Returns the secret variables of containers whose values are in the files. */
export const openSecrets = (containers: readonly Container[]): readonly string[] =>
  containers.flatMap(({ where, env, secrets }) =>
    Object.keys(env)
      .filter((name) => SECRETS.test(name) && !secrets.has(name))
      .map((name) => `${where} ${name}`),
  );

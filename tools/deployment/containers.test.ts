import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  APPS,
  appOf,
  dockerfile,
  imageEnv,
  openSecrets,
  portProblems,
  ROOT,
  unknownSettings,
} from './apps.ts';
import { composeContainers, composeErrors, readCompose } from './compose.ts';
import { IMAGE } from './container.ts';

const ONE_MACHINE = 'compose.yaml';
const NATS = 'compose.nats.yaml';
const CLICKHOUSE = 'compose.clickhouse.yaml';
const CLUSTER = 'deploy/compose/compose.yaml';
/** Files that are used together. */
const DEPLOYMENTS = [
  [ONE_MACHINE],
  [ONE_MACHINE, NATS],
  [ONE_MACHINE, CLICKHOUSE],
  [ONE_MACHINE, NATS, CLICKHOUSE],
  [CLUSTER],
] as const;
const NAMED = DEPLOYMENTS.map((paths) => ({ name: paths.join(' + '), paths }));
/** NATS has no password on a single machine, where it is reachable only within the network of the Compose file. */
const OPEN = new Set(
  [`${ONE_MACHINE} + ${NATS}`, `${ONE_MACHINE} + ${NATS} + ${CLICKHOUSE}`].map(
    (one) => `${one}: worker NATS_URL`,
  ),
);

const containers = DEPLOYMENTS.flatMap((paths) => composeContainers(ROOT, paths));
const ours = containers.filter(({ image }) => image === IMAGE);

test.each(NAMED)('there are containers of every app in $name', ({ paths }) => {
  const mains = composeContainers(ROOT, paths)
    .filter(({ image }) => image === IMAGE)
    .map(({ args }) => args[0]);
  expect(new Set(mains)).toEqual(new Set(Object.keys(APPS)));
});

test('compose.yaml needs PostgreSQL alone', () => {
  const others = composeContainers(ROOT, [ONE_MACHINE]).filter(({ image }) => image !== IMAGE);
  expect(others.map(({ image }) => image)).toEqual(['postgres:18']);
});

test.each(ours)('$where has only settings that its app knows, with valid values', async (container) => {
  expect(await unknownSettings(container)).toEqual([]);
});

test.each(ours)('$where exposes and probes the port of its app', async (container) => {
  expect(await portProblems(container)).toEqual([]);
});

test('Compose files contain no secrets', () => {
  expect(openSecrets(containers).filter((one) => !OPEN.has(one))).toEqual([]);
});

test('Compose builds the image from the Dockerfile, which sets the user and the entry point', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["node",/m);
  for (const path of [ONE_MACHINE, CLUSTER]) {
    const services = Object.values(readCompose(ROOT, [path]).services).filter(({ image }) => image === IMAGE);
    expect(services.map(({ build = '' }) => resolve(ROOT, dirname(path), build))).toEqual(
      services.map(() => ROOT),
    );
  }
});

test.each(NAMED)('$name follows the Compose schema', ({ paths }) => {
  const compose = readCompose(ROOT, paths);
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

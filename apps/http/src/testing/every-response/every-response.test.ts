import { anAuthor, aVersion, claimJob } from '@plugin-config/testing';
import { operationsOf, type Operation } from '@plugin-config/conformance';
import { openDatabase, postgresPorts } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { until } from '@plugin-config/server/testing';
import { describe, expect } from 'vitest';
import { chosen } from '../../../../../tools/property-runs.ts';
import { caller } from '../caller.ts';
import { createItems, isOfService } from '../mounted-endpoints.ts';
import type { Service } from '../service.fixture.ts';
import { openapiDocument } from '../../openapi/document.ts';
import {
  discardItems,
  emptyTarget,
  exampleOf,
  familyIn,
  send,
  sendRaw,
  targetOf,
  validRequest,
  withScope,
  withTakenJob,
  type Target,
} from './target.ts';
import { test, type OtherServices } from './services.fixture.ts';

// Provokes every response in the OpenAPI document, the successful ones with a key that only has the scope. As in all tests,
// `fetch` checks that the responses match the document.

/** All families share their code, so the first tier only tests one. */
const OPERATIONS = chosen(
  operationsOf(openapiDocument({ publicUrl: null })),
  ({ path }) => !path.includes('/pipeline_transformation_configs'),
);
/** Responses that cannot be provoked here: most of these operations can only fail with 503, or not at all. */
const UNREACHABLE = new Set([
  'check_liveness 500',
  'check_readiness 500',
  'end_session 500',
  // Needs an issuer, which other tests have.
  'exchange_token 200',
  'read_metrics 500',
  'read_schema 500',
]);
const OTHER_PAGE = { origin: 'https://a.example', 'sec-fetch-site': 'cross-site' };
const MISSING_PROJECT = 9_999_999_999;
const MISSING_JOB = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
/** Statuses that don't depend on whether the resources of the request exist. */
const WITHOUT_RESOURCES = new Set([400, 401, 403, 404, 408, 429, 431, 500, 503]);
const MIN_SHARE = 0.9;
const reached = new Set<string>();

interface Services extends OtherServices {
  readonly service: Service;
}

type Provocation = (
  operation: Operation,
  target: Target,
  services: Services,
) => Promise<{ readonly status: number }>;

const plain: Provocation = async (operation, target) => {
  const request = await validRequest(operation, target);
  return send(operation, await withScope(operation, target), request);
};

const PROVOCATIONS: Readonly<Record<number, Provocation>> = {
  200: async (operation, target, services) => {
    // The first request creates the project.
    if (operation.id === 'put_project') await plain(operation, target, services);
    return plain(operation, target, services);
  },
  201: plain,
  202: async (operation, target, services) => {
    if (!operation.id.startsWith('cancel_')) return plain(operation, target, services);
    return send(operation, await withTakenJob(target, operation.path));
  },
  204: plain,
  304: async (operation, target) => {
    const request = await validRequest(operation, target);
    const { headers } = await send(operation, target, request);
    return send(operation, target, { ...request, headers: { 'if-none-match': headers.get('etag') ?? '' } });
  },
  400: (operation, target) => sendRaw(operation, target, 'Connection: close\r\n\r\n'),
  401: (operation, target) =>
    operation.id === 'begin_session'
      ? send(operation, target, { body: { key: 'nonsense' } })
      : send(operation, { ...target, token: null }),
  403: async (operation, target) => {
    if (operation.path === '/api/session') return send(operation, target, { headers: OTHER_PAGE });
    const other = await target.service.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
    const { token } = await target.service.issueKey({ projectIds: [other.id], scopes: ['plugin_log:write'] });
    return send(operation, { ...target, token });
  },
  404: async (operation, target) => {
    const { token } = await target.service.issueKey();
    const missing = MISSING_PROJECT;
    const missingIds = {
      project: missing,
      record: missing,
      key: missing,
      trust: missing,
      plugin: missing,
      alert: missing,
      webhook: missing,
      job: MISSING_JOB,
      check: MISSING_JOB,
    };
    return send(operation, { ...target, token, ...missingIds });
  },
  408: (operation, target, { shortTimeouts }) =>
    sendRaw(operation, { ...target, service: shortTimeouts }, 'Host: a.example\r\n'),
  409: (operation, target, services) => {
    if (operation.id === 'adopt_records') return adoptForAnother(operation, target, services);
    if (/\/(alerts|webhooks)/.test(operation.path)) return takeTwice(operation, target, services);
    if (isAboutProject(operation)) return takeExternalId(operation, target, services);
    if (operation.id === 'register_plugin') return takeSlug(operation, target, services);
    if (operation.id === 'register_plugin_version') return registerOther(operation, target, services);
    if (operation.id.startsWith('upgrade_')) return upgradeAhead(operation, target, services);
    if (/^(renew|end)_/.test(operation.id)) return sendAsAnother(operation, target, services);
    const provoke = operation.method === 'DELETE' ? cancelRunning : repeatInFlight;
    return provoke(operation, target, services);
  },
  412: (operation, target) => {
    const stale = operation.id.startsWith('write_back_') && { body: { config_version: 9, set: {} } };
    return send(operation, target, { headers: { 'if-match': '"other"' }, ...stale });
  },
  413: (operation, target) => send(operation, target, { body: { name: 'x'.repeat(2 * 1024 * 1024) } }),
  415: (operation, target) =>
    send(operation, target, { body: 'text', headers: { 'content-type': 'text/plain' } }),
  422: async (operation, target) => {
    const headers = { 'idempotency-key': 'one' };
    const request = await validRequest(operation, target);
    await send(operation, target, { ...request, headers });
    const body = { ...(request.body ?? exampleOf(operation).body ?? { plugin: 8 }), max_deletes: 1 };
    return send(operation, target, { headers, body });
  },
  431: (operation, target) => sendRaw(operation, target, `X-Large: ${'x'.repeat(20_000)}\r\n\r\n`),
  429: async (operation, target, { limited }) => {
    if (['begin_session', 'exchange_token'].includes(operation.id))
      return failToSignIn(operation, { ...target, service: limited });
    const { token } = await limited.issueKey();
    const { id: project } = await limited.ports.projects.create(
      { name: 'Limited' },
      anAuthor({ at: new Date() }),
    );
    const limitedTarget = { ...target, service: limited, project, token };
    await send(operation, limitedTarget);
    return send(operation, limitedTarget);
  },
  500: (operation, target, { broken }) => send(operation, { ...target, service: broken }),
  503: (operation, target, { cutOff }) => send(operation, { ...target, service: cutOff }),
};

/** Exceeds the limit of failed sign-ins. */
async function failToSignIn(operation: Operation, target: Target): Promise<{ readonly status: number }> {
  const request = { body: { key: 'nonsense' } };
  for (let i = 0; i < 10; i++) await send(operation, target, request);
  return send(operation, target, request);
}

/** Takes the name of another alert, or the URL of another webhook. */
const takeTwice: Provocation = async (operation, target) => {
  const { service, project, token } = target;
  if (operation.method === 'POST') {
    await send(operation, target);
    return send(operation, target);
  }
  const base = isOfService(operation.path) ? '/api' : `/api/projects/${project}`;
  await createItems(caller({ base: service.url + base, token }), 'Other');
  return send(operation, target, { body: { name: 'Other', url: 'https://hooks.example.com/Other' } });
};

const isAboutProject = ({ path }: Operation): boolean => /^\/api\/projects(\/\{project_id\})?$/.test(path);

/** Takes the external id of another project. */
const takeExternalId: Provocation = async (operation, target) => {
  const other = { name: 'Other', externalId: `taken-${target.project}` };
  await target.service.ports.projects.create(other, anAuthor({ at: new Date() }));
  return send(operation, target, { body: { name: 'New', external_id: other.externalId } });
};

const takeSlug: Provocation = async (operation, target) => {
  const slug = `taken-${target.project}`;
  await target.service.ports.plugins.register(
    { id: `slug:${slug}`, name: 'Other' },
    new Map(),
    anAuthor({ at: new Date() }),
  );
  return send(operation, target, { body: { name: 'New', slug } });
};

/** Registers a version again, with other contents. */
const registerOther: Provocation = async (operation, target) => {
  await send(operation, target);
  return send(operation, target, { body: { schema_version: 2, checks: true } });
};

/** Upgrades a record to a schema that its runtime does not understand. */
const upgradeAhead: Provocation = async (operation, target) => {
  const { service, project, token } = target;
  const author = anAuthor({ at: new Date() });
  const { plugins, pluginVersions } = service.ports;
  const { id } = await plugins.register({ id: `slug:ahead-${project}`, name: 'Ahead' }, new Map(), author);
  for (const schemaVersion of [1, 2]) {
    const migrations = schemaVersion === 1 ? [] : [{ from: 1, steps: [] }];
    const version = aVersion({ version: `${schemaVersion}`, schemaVersion, migrations, configSchema: [] });
    await pluginVersions.register(id, version, new Map(), author);
  }
  const { family } = familyIn(operation.path, project);
  const call = caller({ base: `${service.url}/api/projects/${project}/${family}`, token });
  const { body } = await call('POST', '', { body: { plugin: id } });
  const running = { [id]: { version: '1', schemas: [1] } };
  await call('PUT', '/runtimes/shop-1', { body: { version: '1', status: 'applied', plugins: running } });
  return send(operation, { ...target, record: body.id }, { body: { version: '2' } });
};

const cancelRunning: Provocation = async (operation, target) => {
  const database = openDatabase({ url: target.service.databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const ports = postgresPorts(database);
  while ((await claimJob(ports)) !== null);
  await database.close();
  return send(operation, target);
};

/** Sends the request of another runtime. */
const sendAsAnother: Provocation = (operation, target) =>
  send(operation, target, { body: { ...(exampleOf(operation).body as object), instance: 'another' } });

const adoptForAnother: Provocation = async (operation, target) => {
  const { body } = await validRequest(operation, target);
  await send(operation, target, { body });
  return send(operation, target, { body: { ...(body as object), manager: 'another' } });
};

/** Delays the commit of the first request until the second one gets its response. */
const repeatInFlight: Provocation = async (operation, _target, { delayed }) => {
  const target = await targetOf(delayed, operation);
  const valid = await validRequest(operation, target);
  const database = openDatabase({ url: delayed.databaseUrl, poolSize: 1, masterKeys: TEST_KEYS });
  const holder = await database.pool.connect();
  await holder.query(`select pg_advisory_lock(${target.project})`);
  const request = { ...valid, headers: { 'idempotency-key': 'one' } };
  const first = send(operation, target, request);
  await until(async () => (await holder.query(WAITING, [target.project])).rows.length > 0);
  const second = await send(operation, target, request);
  holder.release(true);
  await database.close();
  await first;
  return second;
};

const WAITING = "select from pg_locks where locktype = 'advisory' and not granted and objid = $1";

describe.concurrent.each(OPERATIONS)('$id', (operation) => {
  const provocable = operation.statuses.filter((status) => !UNREACHABLE.has(`${operation.id} ${status}`));
  test.for(provocable)('%i', async (status, { service, limited, broken, cutOff, delayed, shortTimeouts }) => {
    const target = await (WITHOUT_RESOURCES.has(status)
      ? emptyTarget(service)
      : targetOf(service, operation));
    const provoke = PROVOCATIONS[status] ?? plain;
    expect(
      (await provoke(operation, target, { service, limited, broken, cutOff, delayed, shortTimeouts })).status,
    ).toBe(status);
    reached.add(`${operation.id} ${status}`);
    await discardItems(operation, target);
  });
});

test('all operations and at least 90% of their responses are covered', () => {
  const described = OPERATIONS.flatMap(({ id, statuses }) => statuses.map((status) => `${id} ${status}`));
  const isReached = ({ id, statuses }: Operation) =>
    statuses.some((status) => reached.has(`${id} ${status}`));
  expect(OPERATIONS.filter((operation) => !isReached(operation))).toEqual([]);
  expect(reached.size / described.length).toBeGreaterThanOrEqual(MIN_SHARE);
  const missed = described.filter((response) => !reached.has(response)).join(', ');
  process.stdout.write(
    `All ${OPERATIONS.length} operations and ${reached.size} of ${described.length} responses reached; missed: ${missed}\n`,
  );
});

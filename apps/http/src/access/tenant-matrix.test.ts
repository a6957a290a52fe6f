import { aLogEntry, anAuthor, aTrust } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { FAMILIES, type Family, type Project, type Scope } from '@plugin-config/domain';
import type { Database } from '@plugin-config/persistence';
import { digestTables } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { chosen } from '../../../../tools/property-runs.ts';
import { caller, type ReceivedResponse } from '../testing/caller.ts';
import { ownedRequest } from '../testing/owned-request.ts';
import { ownPage } from '../testing/own-page.ts';
import { isAboutPluginJobs, takeJob } from '../testing/taken-job.ts';
import { createWritableRecord } from '../testing/writable-record.ts';
import {
  createItems,
  exampleBody,
  isOfService,
  OPERATIONS as ALL,
  pathOf,
  type Items,
  type Operation,
} from '../testing/mounted-endpoints.ts';
import { test as base, type Service } from '../testing/service.fixture.ts';

// Calls every operation with every kind of key, and with ids of other tenants.

/** All families share their code, so the first tier only tests one. */
const OPERATIONS = chosen(ALL, ({ family }) => family === null || family === FAMILIES[0]);
const SECRET = 'only the owner reads this';
const FIRST_PLUGIN = 4711;
const NO_JOB = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
/** Returns a scope that does not include the given one. */
const otherScope = (scope: Scope): Scope => (scope === 'plugin:read' ? 'plugin_log:write' : 'plugin:read');

/** A project with a record and a job of each family. */
interface Tenant {
  readonly project: Project;
  readonly token: string;
  readonly own: Readonly<Record<Family, Ids>>;
  readonly items: Items;
}

interface Fixtures {
  /** A tenant that the test may change. */
  readonly own: Tenant;
  /** A tenant shared by all tests, which verify that it does not change. */
  readonly owner: Tenant;
  readonly stranger: Tenant;
}

const test = base.extend<Fixtures>({
  own: async ({ service }, use) => use(await aTenant(service)),
  owner: [async ({ service }, use) => use(await aTenant(service)), { scope: 'file' }],
  stranger: [async ({ service }, use) => use(await aTenant(service)), { scope: 'file' }],
});

async function aTenant(service: Service): Promise<Tenant> {
  const draft = { name: SECRET, externalId: `tenant-${crypto.randomUUID()}` };
  const project = await service.ports.projects.create(draft, anAuthor({ at: new Date() }));
  const { token } = await service.issueKey({
    projectIds: [project.id],
    scopes: ['plugin:write', 'plugin_runtime'],
  });
  const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
  const own: Partial<Record<Family, Ids>> = {};
  for (const family of FAMILIES) {
    const fields = { plugin: 7, name: SECRET, description: SECRET };
    const { body: record } = await call('POST', `/${family}`, { body: fields });
    await call('PUT', `/${family}/runtimes/shop-1`, { body: { version: SECRET, status: 'applied' } });
    const queued = await call('POST', `/${family}/${record.id}/job`, { body: { enabled: true } });
    own[family] = {
      record: record.id,
      job:
        queued.headers
          .get('location')
          ?.split('/')
          .findLast((part) => part !== '') ?? '',
    };
  }
  const { record: recordId, job: id } = own.plugin_configs ?? MISSING_IDS;
  const entry = aLogEntry({ projectId: project.id, id: recordId }, { id, timestamp: new Date() });
  await service.storeEntries([entry]);
  return { project, token, own: own as Tenant['own'], items: await createItems(call, SECRET) };
}

interface Ids extends Partial<Items> {
  readonly record: number;
  readonly job: string;
  readonly check?: string;
  readonly key?: number;
  readonly trust?: number;
  readonly plugin?: number;
}

const MISSING_IDS: Ids = {
  record: 9_007_199_254_740_000,
  job: NO_JOB,
  key: 9_007_199_254_740_000,
  trust: 9_007_199_254_740_000,
  plugin: 9_007_199_254_740_000,
  alert: 9_007_199_254_740_000,
  webhook: 9_007_199_254_740_000,
  delivery: NO_JOB,
};

function send(
  service: Service,
  operation: Operation,
  { project, ids, token }: { project: number | string; ids: Ids; token: string | null },
): Promise<ReceivedResponse<WireErrorBody>> {
  const call = caller({ base: service.url, token });
  const path = pathOf(operation, { project, ...ids });
  return call(operation.endpoint.method, path, {
    headers: ownPage(service.url),
    ...(operation.title === 'deleteProject' ? { body: { name: SECRET } } : exampleBody(operation, token)),
  });
}

/** Returns a digest of all rows, which a rejected request must not change. Reads are not checked. */
async function rowsIn(database: Database, { endpoint }: Operation): Promise<unknown> {
  return endpoint.method === 'GET' ? null : digestTables(database);
}

const idsOf = ({ own, items }: Tenant, { family }: Operation): Ids => ({
  ...(family === null ? MISSING_IDS : own[family]),
  ...items,
});

test.for(OPERATIONS)('$title: allowed for its owner with the scope', async (operation, { service, own }) => {
  const request = { project: own.project.id, ...(await admittedIdsAndKey(service, own, operation)) };
  if (operation.title === 'retrieveErasure')
    await service.ports.erasures.start(own.project.id, SECRET, anAuthor());
  const { status, text } = isAboutDocuments(operation)
    ? await sendOwned(service, own, operation)
    : operation.endpoint.operationId === 'write_back_{one}'
      ? await sendWriteBack(service, own, operation)
      : isAboutPluginJobs(operation.endpoint.path)
        ? await sendOfJob(service, own, operation)
        : await send(service, operation, request);
  expect([status, text]).toEqual([expect.toSatisfy((code: number) => code >= 200 && code < 300), text]);
});

function isAboutDocuments({ endpoint }: Operation): boolean {
  return /\/:project_id\/configuration/.test(endpoint.path);
}

async function sendWriteBack(
  service: Service,
  { project, token, own }: Tenant,
  operation: Operation,
): Promise<ReceivedResponse<unknown>> {
  const family = operation.family ?? FAMILIES[0];
  const call = caller({ base: `${service.url}/api/projects/${project.id}/${family}`, token });
  const record = await createWritableRecord(service, call);
  const ids = { ...own.plugin_configs, record };
  return send(service, operation, { project: project.id, ids, token });
}

async function sendOfJob(
  service: Service,
  { project, token }: Tenant,
  operation: Operation,
): Promise<ReceivedResponse<unknown>> {
  const family = operation.family ?? 'plugin_configs';
  const call = caller({ base: `${service.url}/api/projects/${project.id}/${family}`, token });
  const ids = await takeJob(service, { projectId: project.id, family }, call);
  return send(service, operation, { project: project.id, ids, token });
}

async function sendOwned(
  { url }: Service,
  { project, token, own }: Tenant,
  operation: Operation,
): Promise<ReceivedResponse<unknown>> {
  const call = caller({ base: `${url}/api/projects/${project.id}`, token });
  const { method, operationId: id, path } = operation.endpoint;
  const example = exampleBody(operation, token).body;
  const { query = '', ...request } = await ownedRequest(
    { id, example },
    { call, record: own.plugin_configs.record },
  );
  return call(method, path.replace('/api/projects/:project_id', '') + query, request);
}

/** Returns the ids in the path of a request, and a key that is allowed to send it. */
async function admittedIdsAndKey(
  service: Service,
  own: Tenant,
  operation: Operation,
): Promise<{ readonly ids: Ids; readonly token: string }> {
  const { path, scope } = operation.endpoint;
  if (scope === null || /:(project_id|family)\//.test(path))
    return { ids: idsOf(own, operation), token: own.token };
  // A key can only grant what it has, so it has what the example requests. Items are created with the same key.
  const needsMore = /^createKey$|Trust$/.test(operation.title) || isOfService(path);
  const scopes = needsMore ? ([scope, 'plugin:write'] as const) : [scope];
  const { token } = await service.issueKey({ scopes });
  const { key } = await service.issueKey({ scopes: [scope] });
  const plugin = FIRST_PLUGIN + key.id;
  await service.ports.plugins.register({ id: plugin, name: 'Plugin' }, new Map(), anAuthor());
  await service.ports.upgrades.start(plugin, '0', { force: false }, anAuthor());
  const items = isOfService(path)
    ? await createItems(caller({ base: `${service.url}/api`, token }), crypto.randomUUID())
    : {};
  const { id: trust } = await service.ports.trusts.add(aTrust(), anAuthor());
  return { ids: { ...MISSING_IDS, key: key.id, trust, plugin, ...items }, token };
}

test.for(OPERATIONS.filter(({ endpoint }) => endpoint.unbound))(
  '$title: a key bound to projects is rejected',
  async (operation, { service, database, owner }) => {
    const bound = await service.issueKey({ scopes: ['*'], projectIds: [owner.project.id] });
    const before = await rowsIn(database, operation);
    const request = { project: owner.project.id, ids: MISSING_IDS, token: bound.token };
    const { status, body } = await send(service, operation, request);
    expect([status, body.detail]).toEqual([403, 'This needs an API key that is not bound to projects.']);
    expect(await rowsIn(database, operation)).toEqual(before);
  },
);

/** Signing in reports what is wrong with a key, and signing out needs none. */
const WITH_KEY = OPERATIONS.filter(({ endpoint }) => endpoint.needs !== 'page');

test.for(WITH_KEY)('$title: an invalid key is rejected', async (operation, { service, database, owner }) => {
  const own = { project: owner.project.id, ids: idsOf(owner, operation) };
  const revoked = await service.issueKey({ projectIds: [owner.project.id] });
  await service.ports.keys.revoke(revoked.key.id, null, anAuthor({ at: new Date() }));
  const expired = await service.issueKey({ projectIds: [owner.project.id], lifetimeMs: 1, at: new Date(0) });
  const tokens = [null, 'nonsense', `${owner.token}x`, revoked.token, expired.token];
  const before = await rowsIn(database, operation);
  for (const token of tokens) {
    const { status, text } = await send(service, operation, { ...own, token });
    expect([token, status, text.includes(SECRET)]).toEqual([token, 401, false]);
  }
  expect(await rowsIn(database, operation)).toEqual(before);
});

test.for(OPERATIONS.filter(({ endpoint }) => endpoint.scope !== null))(
  '$title: a key without the scope is rejected, and the error names the scope',
  async (operation, { service, database, owner }) => {
    const scope = operation.endpoint.scope ?? 'plugin:read';
    const other = await service.issueKey({ projectIds: [owner.project.id], scopes: [otherScope(scope)] });
    const ids = idsOf(owner, operation);
    const before = await rowsIn(database, operation);
    const { status, body } = await send(service, operation, {
      project: owner.project.id,
      ids,
      token: other.token,
    });
    expect([status, body.detail]).toEqual([403, `API key missing required scope '${scope}'`]);
    expect(await rowsIn(database, operation)).toEqual(before);
  },
);

test.for(WITH_KEY.filter(({ endpoint }) => endpoint.needs !== 'key'))(
  '$title: a key of another project is rejected, regardless of the ids',
  async (operation, { service, database, owner, stranger }) => {
    const before = await rowsIn(database, operation);
    for (const project of [owner.project.id, `ext:${owner.project.externalId}`]) {
      for (const ids of [idsOf(owner, operation), idsOf(stranger, operation), MISSING_IDS]) {
        const { status, text } = await send(service, operation, { project, ids, token: stranger.token });
        expect([status, text.includes(SECRET)]).toEqual([403, false]);
      }
    }
    expect(await rowsIn(database, operation)).toEqual(before);
  },
);

test.for(
  OPERATIONS.filter(
    ({ endpoint: { path } }) =>
      /:(id|plugin_config_id|alert_id|webhook_id)\b/.test(path) && !isOfService(path),
  ),
)(
  '$title: an id of another project or family is not found',
  async (operation, { service, database, owner, stranger }) => {
    const before = await rowsIn(database, operation);
    const others = FAMILIES.filter((family) => family !== operation.family).map(
      (family) => owner.own[family],
    );
    for (const ids of [...others, idsOf(stranger, operation), MISSING_IDS]) {
      const request = { project: owner.project.id, ids, token: owner.token };
      const { status, body } = await send(service, operation, request);
      expect([status, body]).toEqual([
        404,
        { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      ]);
    }
    const { job, delivery } = { ...idsOf(stranger, operation), ...stranger.items };
    if (/:(job_id|entry_id|delivery_id)/.test(operation.endpoint.path)) {
      const ids = { ...idsOf(owner, operation), job, delivery };
      const request = { project: owner.project.id, ids, token: owner.token };
      expect((await send(service, operation, request)).status).toBe(404);
    }
    expect(await rowsIn(database, operation)).toEqual(before);
  },
);

test('a key only lists the projects it is bound to', async ({ service, owner }) => {
  const call = caller({ base: service.url, token: owner.token });
  const { body } = await call<{ count: number; results: { id: number }[] }>('GET', '/api/projects');
  expect([body.count, body.results.map(({ id }) => id)]).toEqual([1, [owner.project.id]]);
});

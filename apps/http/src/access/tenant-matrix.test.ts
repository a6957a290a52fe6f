import { aLogEntry, anAuthor } from '@plugin-config/testing';
import type { WireErrorBody } from '@plugin-config/contract';
import { FAMILIES, type Family, type Project, type Scope } from '@plugin-config/domain';
import type { Database } from '@plugin-config/persistence';
import { digestTables } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { chosen } from '../../../../tools/property-runs.ts';
import { caller, type ReceivedResponse } from '../testing/caller.ts';
import { ownPage } from '../testing/own-page.ts';
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

// Calls every operation with every kind of key that may not, and with ids of other tenants.

/** All families share their code, so the first tier only tests one. */
const OPERATIONS = chosen(ALL, ({ family }) => family === null || family === FAMILIES[0]);
const SECRET = 'only the owner reads this';
const NO_JOB = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
/** Returns a scope that does not include the given one. */
const otherScope = (scope: Scope) => (scope === 'plugin:read' ? 'plugin_log:write' : 'plugin:read');

/** A project with a record and a job of each family. */
interface Tenant {
  readonly project: Project;
  readonly token: string;
  readonly own: Readonly<Record<Family, Ids>>;
  readonly items: Items;
}

interface Fixtures {
  readonly owner: Tenant;
  readonly stranger: Tenant;
  readonly tokens: Tokens;
}

/** Keys that may not do what the owner may. */
interface Tokens {
  /** Without a key, with a malformed one, and with keys that have ended. */
  readonly invalid: readonly (string | null)[];
  /** Has all scopes, but only in the project of the owner. */
  readonly bound: string;
  /** Of the owner, with one scope each. */
  readonly withScope: Readonly<Record<'plugin:read' | 'plugin_log:write', string>>;
}

const test = base.extend<Fixtures>({
  owner: [async ({ service }, use) => use(await aTenant(service)), { scope: 'file' }],
  stranger: [async ({ service }, use) => use(await aTenant(service)), { scope: 'file' }],
  tokens: [async ({ service, owner }, use) => use(await tokensFor(service, owner)), { scope: 'file' }],
});

async function tokensFor(service: Service, { project, token }: Tenant): Promise<Tokens> {
  const projectIds = [project.id];
  const issue = async (...scopes: Scope[]) => (await service.issueKey({ projectIds, scopes })).token;
  const revoked = await service.issueKey({ projectIds });
  await service.ports.keys.revoke(revoked.key.id, null, anAuthor({ at: new Date() }));
  const expired = await service.issueKey({ projectIds, lifetimeMs: 1, at: new Date(0) });
  return {
    invalid: [null, 'nonsense', `${token}x`, revoked.token, expired.token],
    bound: await issue('*'),
    withScope: {
      'plugin:read': await issue('plugin:read'),
      'plugin_log:write': await issue('plugin_log:write'),
    },
  };
}

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

/** Signing in reports what is wrong with a key, and signing out needs none. */
const WITH_KEY = OPERATIONS.filter(({ endpoint }) => endpoint.needs !== 'page');
const NOT_FOUND = { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null };

test.for(WITH_KEY)(
  '$title: changes nothing for a key that is invalid, lacks the scope or has no access to the project',
  async (operation, { service, database, owner, stranger, tokens }) => {
    const { scope, needs, unbound } = operation.endpoint;
    const own = { project: owner.project.id, ids: idsOf(owner, operation) };
    const before = await rowsIn(database, operation);
    for (const token of tokens.invalid) {
      const { status, text } = await send(service, operation, { ...own, token });
      expect([token, status, text.includes(SECRET)]).toEqual([token, 401, false]);
    }
    if (unbound) {
      const { status, body } = await send(service, operation, { ...own, token: tokens.bound });
      expect([status, body.detail]).toEqual([403, 'This needs an API key that is not bound to projects.']);
    }
    if (scope !== null) {
      const token = tokens.withScope[otherScope(scope)];
      const { status, body } = await send(service, operation, { ...own, token });
      expect([status, body.detail]).toEqual([403, `API key missing required scope '${scope}'`]);
    }
    const projects = needs === 'key' ? [] : [owner.project.id, `ext:${owner.project.externalId}`];
    for (const project of projects) {
      for (const ids of [own.ids, idsOf(stranger, operation), MISSING_IDS]) {
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
      expect([status, body]).toEqual([404, NOT_FOUND]);
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

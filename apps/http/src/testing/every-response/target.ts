import { aLogEntry, anAuthor, aTrust } from '@plugin-config/testing';
import type { Operation } from '@plugin-config/conformance';
import { FAMILY_WORDS } from '@plugin-config/contract';
import type { Family, FamilyRef } from '@plugin-config/domain';
import { expect } from 'vitest';
import { caller, type ReceivedResponse, type Call, type Request } from '../caller.ts';
import { createItems, isOfService, OPERATIONS, pathOf, type Items } from '../mounted-endpoints.ts';
import { ownedRequest } from '../owned-request.ts';
import { ownPage } from '../own-page.ts';
import { isAboutPluginJobs, takeJob } from '../taken-job.ts';
import { createWritableRecord } from '../writable-record.ts';
import { rawBytes, type RawResponse } from '../raw-request.ts';
import { CHECK, type Service } from '../service.fixture.ts';

/** The path parameters of a request, and its key. */
export interface Target {
  readonly service: Service;
  readonly project: number;
  readonly record: number;
  readonly job: string;
  readonly check: string;
  readonly key: number;
  readonly trust: number;
  readonly plugin: number;
  readonly alert: number;
  readonly webhook: number;
  readonly delivery: string;
  readonly token: string | null;
  /** The projects that the key is bound to; none if it is not bound. */
  readonly projectIds: readonly number[];
}

/** Well-formed ids that do not exist. */
const MISSING_IDS = {
  record: 9_007_199_254_740_000,
  job: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
  check: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
  key: 9_007_199_254_740_000,
  trust: 9_007_199_254_740_000,
  plugin: 9_007_199_254_740_000,
  alert: 9_007_199_254_740_000,
  webhook: 9_007_199_254_740_000,
  delivery: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
};

const NAME = 'Target';

const emptyTargets = new WeakMap<Service, Promise<Target>>();

/** Returns a project without resources, for all requests that are rejected before their ids matter. */
export function emptyTarget(service: Service): Promise<Target> {
  const target = emptyTargets.get(service) ?? createEmpty(service);
  emptyTargets.set(service, target);
  return target;
}

async function createEmpty(service: Service): Promise<Target> {
  const { id: project } = await service.ports.projects.create({ name: NAME }, anAuthor({ at: new Date() }));
  const projectIds = [project];
  const { token } = await service.issueKey({ projectIds });
  return { ...MISSING_IDS, service, project, token, projectIds };
}

/** Creates a project with the resources that the operation addresses, and a key with all scopes. */
export async function targetOf(service: Service, operation: Operation): Promise<Target> {
  const { path } = operation;
  const empty = await createEmpty(service);
  const { project, token } = empty;
  if (path === '/api/erasures/{project_id}')
    await service.ports.erasures.start(project, NAME, anAuthor({ at: new Date() }));
  if (isAdministrative(path)) {
    const target = await administered(service, project);
    if (path.includes('/records/{id}/config'))
      return { ...target, record: await createWritableRecord(service, ofFamily(target, path)) };
    if (isAboutPluginJobs(path)) return withTakenJob(target, path);
    return isOfService(path)
      ? { ...target, ...(await serviceItems(target, changesItem(operation))) }
      : target;
  }
  const [, named] = /\{project_id\}\/(\w+)/.exec(path) ?? [];
  if (named === undefined) return empty;
  if (/\{(alert|webhook)_id\}/.test(path)) {
    const items = await createItems(caller({ base: `${service.url}/api/projects/${project}`, token }));
    return { ...empty, ...items };
  }
  if (isAboutPluginJobs(path)) return withTakenJob(empty, path);
  const family = named in FAMILY_WORDS ? named : 'plugin_configs';
  const call = caller({ base: `${service.url}/api/projects/${project}/${family}`, token });
  const { id: record } = (await call('POST', '', { body: { plugin: 7 } })).body;
  const job = path.includes('{job_id}') ? await queueJob(call, record) : MISSING_IDS.job;
  if (path.includes('{entry_id}')) {
    const entry = aLogEntry({ projectId: project, id: record }, { id: job, timestamp: new Date() });
    await service.storeEntries([entry]);
  }
  if (path.includes('{instance}'))
    await call('PUT', '/runtimes/shop-1', { body: { version: '1', status: 'applied' } });
  return { ...empty, record, job };
}

/** Returns the family in the path. */
export async function withTakenJob(target: Target, path: string): Promise<Target> {
  const { service, project } = target;
  return { ...target, ...(await takeJob(service, familyIn(path, project), ofFamily(target, path))) };
}

export function familyIn(path: string, projectId: number): FamilyRef {
  const family = path.split('/').find((part) => part in FAMILY_WORDS) ?? 'plugin_configs';
  return { projectId, family: family as Family };
}

/** Returns a client of the records of the family in the path. */
function ofFamily({ service, project, token }: Target, path: string): Call {
  const { family } = familyIn(path, project);
  return caller({ base: `${service.url}/api/projects/${project}/${family}`, token });
}

const sharedItems = new WeakMap<Service, Promise<Items>>();

const changesItem = ({ path, method }: Operation): boolean =>
  isOfService(path) && method !== 'GET' && /\{(alert|webhook)_id\}/.test(path);

/** All projects have a limited number of items, so only a request that changes one gets its own. */
async function serviceItems({ service, token }: Target, isOwn: boolean): Promise<Items> {
  const create = () => createItems(caller({ base: `${service.url}/api`, token }), crypto.randomUUID());
  if (isOwn) return create();
  const shared = sharedItems.get(service) ?? create();
  sharedItems.set(service, shared);
  return shared;
}

/** Deletes the items that a request had for itself. */
export async function discardItems(operation: Operation, target: Target): Promise<void> {
  if (!changesItem(operation)) return;
  const call = caller({ base: `${target.service.url}/api`, token: target.token });
  await call('DELETE', `/alerts/${target.alert}`);
  await call('DELETE', `/webhooks/${target.webhook}`);
}

const isAdministrative = (path: string): boolean => !/\{project_id\}\/./.test(path);

/** Creates an unbound key, another key, and a plugin that has been upgraded. */
async function administered(service: Service, project: number): Promise<Target> {
  const { token } = await service.issueKey();
  const { key } = await service.issueKey({ scopes: ['plugin:read'] });
  const plugin = 100_000 + key.id;
  const author = anAuthor({ at: new Date() });
  await service.ports.plugins.register({ id: plugin, name: 'Plugin' }, new Map(), author);
  await service.ports.upgrades.start(plugin, '0', { force: false }, author);
  const { id: trust } = await service.ports.trusts.add(aTrust(), author);
  return { ...MISSING_IDS, service, project, token, projectIds: [], key: key.id, trust, plugin };
}

async function queueJob(call: Call, record: number): Promise<string> {
  const { headers } = await call('POST', `/${record}/job`);
  return headers.get('location')?.split('/').at(-1) ?? MISSING_IDS.job;
}

/** Returns the endpoint of an operation, unless the app mounts it without one. */
function mounted({ method, path }: Operation) {
  return OPERATIONS.find(({ endpoint, family }) => {
    const template = endpoint.path.replace(':family', family ?? '').replaceAll(/:(\w+)/g, '{$1}');
    return endpoint.method === method && template === path;
  });
}

function addressOf(operation: Operation, target: Target): string {
  const found = mounted(operation);
  return found === undefined ? operation.path : pathOf(found, target);
}

/** Returns the target with a key that has no more scopes than the operation needs. */
export async function withScope(operation: Operation, target: Target): Promise<Target> {
  const scope = mounted(operation)?.endpoint.scope ?? null;
  if (scope === null || target.token === null) return target;
  const { service, projectIds } = target;
  // A key can only grant what it has.
  const isGranting = /^\/api\/(keys|trusts)/.test(operation.path);
  const { token } = await service.issueKey({
    projectIds,
    scopes: isGranting ? [scope, 'plugin:write'] : [scope],
  });
  return { ...target, token };
}

/** Returns a request that normally succeeds. */
export async function validRequest(
  operation: Operation,
  target: Target,
): Promise<Request & { readonly query?: string }> {
  const { service, project, token, record } = target;
  if (operation.id === 'delete_project') return { body: { name: NAME } };
  if (operation.method === 'POST' && /^\/api\/(alerts|webhooks)$/.test(operation.path)) {
    const name = crypto.randomUUID();
    const body = { ...(exampleOf(operation).body as object), name, url: `https://hooks.example.com/${name}` };
    return { body };
  }
  if (!operation.path.includes('/configuration')) return {};
  const call = caller({ base: `${service.url}/api/projects/${project}`, token });
  return ownedRequest({ id: operation.id, example: exampleOf(operation).body }, { call, record });
}

/** Sends a request of the operation. Its default body is the first example. */
export function send(
  operation: Operation,
  target: Target,
  { query = '', ...request }: Request & { readonly query?: string } = {},
): Promise<ReceivedResponse<unknown>> {
  const call = caller({ base: target.service.url, token: target.token });
  return call(operation.method, addressOf(operation, target) + query, {
    ...(operation.id === 'begin_session' ? { body: { key: target.token } } : exampleOf(operation)),
    ...(operation.id === 'exchange_token' && { body: EXCHANGE }),
    ...request,
    headers: { ...ownPage(target.service.url), ...formType(operation), ...request.headers },
  });
}

/** A form with a token that nobody signed. */
const EXCHANGE = String(
  new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'header.claims.signature',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    trust: '1',
  }),
);

function formType({ id }: Operation): Readonly<Record<string, string>> {
  return id === 'exchange_token' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
}

export function exampleOf({ value }: Operation): { readonly body?: unknown } {
  const names = ['requestBody', 'content', 'application/json', 'examples', 'example1', 'value'];
  const body = names.reduce<unknown>(
    (from, name) => (from as Record<string, unknown> | undefined)?.[name],
    value,
  );
  return body === undefined ? {} : { body };
}

/** Sends these bytes after the request line, and checks the response, since it does not use `fetch`. */
export async function sendRaw(operation: Operation, target: Target, bytes: string): Promise<RawResponse> {
  const { method } = operation;
  const path = addressOf(operation, target);
  const response = await rawBytes(target.service.url, `${method} ${path} HTTP/1.1\r\n${bytes}`);
  const { status, head, body } = response;
  const { violations, checkBody } = CHECK({ method, path, status, headers: headersOf(head) });
  expect([...violations, ...checkBody(body)]).toEqual([]);
  return response;
}

function headersOf(head: string): Headers {
  const lines = head.split('\r\n').slice(1);
  return new Headers(lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]));
}

import type { WireConfigRecord } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { ReceivedResponse } from '../caller.ts';
import { keys, once, replayable } from './repeated-requests.ts';
import {
  applyChange,
  changed,
  configure,
  created,
  differences,
  addEntry,
  MASK,
  REGISTERED,
  replacement,
  type Change,
  type Fields,
} from './model.ts';
import {
  expectRecord,
  expectRejected,
  expectStatus,
  familyCommand,
  places,
  recordCommand,
  type Command,
  type RecordTarget,
  type Target,
} from './service.ts';

const TEXTS = fc.constantFrom(null, '', 'a', 'A %b', 'ü_');

const writable = {
  plugin: fc.integer({ min: 1, max: 3 }),
  enabled: fc.boolean(),
  order: fc.oneof(
    { weight: 20, arbitrary: fc.nat(6) },
    { weight: 1, arbitrary: fc.constantFrom(2_147_483_646, 2_147_483_647) },
  ),
  name: TEXTS,
  description: TEXTS,
  deleted: fc.boolean(),
};

export const changes: fc.Arbitrary<Change> = fc.record(writable, { requiredKeys: [] });
const whole: fc.Arbitrary<Change & Pick<Fields, 'plugin'>> = fc.record(writable, {
  requiredKeys: ['plugin'],
});

/** The kinds of `If-Match` a request sends. */
export const conditions = fc.constantFrom('none', 'none', 'any', 'current', 'stale', 'foreign');
export type Condition = typeof conditions extends fc.Arbitrary<infer C> ? C : never;

const picks = { place: places, pick: fc.nat(20), condition: conditions };

export async function conditionOf(
  { record, call, path }: RecordTarget,
  condition: Condition,
): Promise<{ readonly headers: Readonly<Record<string, string>>; readonly holds: boolean }> {
  const stale = record.tags.find(({ version }) => version < record.version)?.tag ?? `"${record.id}.999-x"`;
  if (condition === 'none') return { headers: {}, holds: true };
  if (condition === 'any') return { headers: { 'if-match': '*' }, holds: true };
  if (condition === 'stale') return { headers: { 'if-match': stale }, holds: false };
  if (condition === 'foreign') return { headers: { 'if-match': `"${record.id + 1}.1-x"` }, holds: false };
  const current = (await call('GET', path)).headers.get('etag') ?? '';
  return { headers: { 'if-match': `${stale}, ${current}` }, holds: true };
}

/** Creates a record, perhaps under an Idempotency-Key. */
const create = familyCommand(
  'create',
  fc.record({ place: places, fields: whole, key: keys }),
  async (target, { fields, key }) => {
    const body = JSON.stringify(fields);
    await once(target, { path: target.path, key, body }, (headers) =>
      createWith(target, { fields, body, headers }),
    );
  },
);

async function createWith(
  target: Target,
  {
    fields,
    body,
    headers,
  }: {
    readonly fields: Change & Pick<Fields, 'plugin'>;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<ReceivedResponse<unknown> | null> {
  const response = await target.call('POST', target.path, { body, headers });
  const expected = created(target.family, fields);
  if (expected === null) {
    expectRejected(response, [400, 'max_value', 'order']);
    return null;
  }
  expectStatus(response, 201);
  addCreated(target, response.body, expected);
  expect(response.headers.get('location')).toMatch(
    new RegExp(`${target.projectId}${target.path}/${response.body.id}$`),
  );
  return response;
}

/** Adds a record that the service has created. */
function addCreated(target: Target, body: WireConfigRecord, fields: Fields): void {
  const ids = target.model.projects.flatMap((project) =>
    Object.values(project).flatMap(({ records }) => records.map(({ id }) => id)),
  );
  expect(ids).not.toContain(body.id);
  const record = {
    id: body.id,
    createdAt: body.created_at,
    fields,
    config: new Map(),
    hasSecret: fields.plugin === REGISTERED.id,
    version: 0,
    tags: [],
    history: [],
    jobs: [],
  };
  target.family.records.push(record);
  addEntry(target.family, record, {
    activity: 'created',
    changes: differences({}, fields),
    requestId: target.requestId,
  });
}

const update = recordCommand(
  'update',
  fc.record({ ...picks, change: changes }),
  (target, { change, condition }) => write(target, { method: 'PATCH', body: change, change, condition }),
);

const replace = recordCommand(
  'replace',
  fc.record({ ...picks, fields: whole }),
  (target, { fields, condition }) =>
    write(target, {
      method: 'PUT',
      body: fields,
      change: replacement(target.record.fields, fields),
      condition,
    }),
);

const restore = recordCommand('restore', fc.record(picks), (target, { condition }) => {
  const change = { deleted: false };
  return write(target, { method: 'PATCH', body: change, change, condition });
});

async function write(
  target: RecordTarget,
  {
    method,
    body,
    change,
    condition,
  }: {
    readonly method: string;
    readonly body: Change;
    readonly change: Change;
    readonly condition: Condition;
  },
): Promise<void> {
  const { headers, holds } = await conditionOf(target, condition);
  const response = await target.call(method, target.path, { body, headers });
  const after = changed(target.record.fields, change);
  if (!holds) expectRejected(response, [412, 'precondition_failed', null]);
  else if (after === null) expectRejected(response, [400, 'invalid_input', 'enabled']);
  else {
    expectStatus(response, 200);
    applyChange(target.family, target.record, after, target.requestId);
    expectRecord(target, response);
  }
}

const remove = recordCommand('delete', fc.record(picks), async (target, { condition }) => {
  const { headers, holds } = await conditionOf(target, condition);
  const response = await target.call('DELETE', target.path, { headers });
  if (!holds) return expectRejected(response, [412, 'precondition_failed', null]);
  expect([response.status, response.text]).toEqual([204, '']);
  const after = { ...target.record.fields, enabled: false, deleted: true };
  applyChange(target.family, target.record, after, target.requestId);
});

const configurations = fc.record(
  {
    host: fc.constantFrom('a', 'b', ''),
    token: fc.constantFrom('hunter2', 'secret', '', MASK),
    other: fc.constantFrom('a', 'b'),
  },
  { requiredKeys: [] },
);

const setConfiguration = recordCommand(
  'configure',
  fc.record({ ...picks, entries: configurations }),
  async (target, { entries, condition }) => {
    const { headers, holds } = await conditionOf(target, condition);
    const response = await target.call('PUT', `${target.path}/config`, { body: entries, headers });
    if (!holds) return expectRejected(response, [412, 'precondition_failed', null]);
    const fault = configure(target.family, target.record, entries, target.requestId);
    if (fault !== null) return expectRejected(response, [400, 'invalid_input', fault]);
    expectStatus(response, 200);
    expectRecord(target, response);
  },
);

/** Of concurrent changes with the same `If-Match`, exactly one takes effect. */
const race = recordCommand(
  'race',
  fc.record({ ...picks, of: fc.integer({ min: 2, max: 4 }) }),
  async (target, { of }) => {
    const { record, call, path, family, requestId } = target;
    const { headers } = await conditionOf(target, 'current');
    const names = Array.from({ length: of }, (_, n) => `racer ${n} of ${requestId}`);
    const responses = await Promise.all(
      names.map((name) => call('PATCH', path, { body: { name }, headers })),
    );
    const winner = responses.findIndex(({ status }) => status === 200);
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: of - 1 }, () => 412)]);
    applyChange(family, record, { ...record.fields, name: names[winner] ?? null }, requestId);
    const [response] = responses.slice(winner);
    if (response !== undefined) expectRecord(target, response);
  },
);

/** Concurrently created records get different positions. */
const createConcurrently = familyCommand(
  'create concurrently',
  fc.record({ place: places, of: fc.integer({ min: 2, max: 4 }) }),
  async (target, { of }) => {
    if (created(target.family, { plugin: 2 })?.order === undefined) return;
    const responses = await Promise.all(
      Array.from({ length: of }, () => target.call('POST', target.path, { body: { plugin: 2 } })),
    );
    const byOrder = responses.toSorted((a, b) => a.body.order - b.body.order);
    for (const response of byOrder) {
      const expected = created(target.family, { plugin: 2 });
      if (expected === null) expectRejected(response, [400, 'max_value', 'order']);
      else addCreated(target, response.body, expected);
    }
  },
);

/** Concurrent requests with the same `Idempotency-Key` take effect once. */
const repeatConcurrently = familyCommand(
  'repeat concurrently',
  fc.record({ place: places, fields: whole, of: fc.integer({ min: 2, max: 4 }) }),
  async (target, { fields, of }) => {
    const expected = created(target.family, fields);
    const { call, path, requestId } = target;
    const request = { body: fields, headers: { 'idempotency-key': `concurrent ${requestId}` } };
    const responses = await Promise.all(Array.from({ length: of }, () => call('POST', path, request)));
    const [first] = responses;
    if (first === undefined) return;
    if (expected === null) {
      for (const response of responses) expectRejected(response, [400, 'max_value', 'order']);
      return;
    }
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    for (const response of responses) expect(replayable(response)).toEqual(replayable(first));
    expectStatus(first, 201);
    addCreated(target, first.body, expected);
  },
);

export const CHANGE_COMMANDS: readonly fc.Arbitrary<Command>[] = [
  create,
  createConcurrently,
  repeatConcurrently,
  update,
  replace,
  restore,
  remove,
  setConfiguration,
  race,
];

import { hasDryRun, type JsonObject } from '@plugin-config/contract';
import { digestTables } from '@plugin-config/persistence/testing';
import { anAuthor, aSignIn, aTrust, aUser } from '@plugin-config/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { chosen, propertyRuns, propertyTimeout } from '../../../../../tools/property-runs.ts';
import { caller, type Call, type ReceivedResponse, type Request } from '../caller.ts';
import { createItems, isOfService, pathOf, type PathIds } from '../mounted-endpoints.ts';
import { ownPage } from '../own-page.ts';
import { test, type Service } from '../service.fixture.ts';
import { takeJob } from '../taken-job.ts';
import { DESCRIBED, type DescribedOperation } from './described-operations.ts';
import { ODD_BODIES, ODD_JSON } from './odd-values.ts';
import type { Wire } from '../wire.ts';

// Sends random requests of every write in the document: a dry run changes no row, and its response equals that of the write.

const RUNS = 4;
const ROUNDS_MAX = 25;
const TEST_TIMEOUT_MS = 180_000;
const MISSING_ID = 9_007_199_254_740_000;
const NO_JOB = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';
const ODD_VALUE_MAX_LENGTH = 1000;

const WRITES = DESCRIBED.filter(({ endpoint }) => endpoint.method !== 'GET');
const WRITES_WITH_DRY_RUN = WRITES.filter(({ endpoint }) => hasDryRun(endpoint));
const WRITES_WITHOUT_DRY_RUN = WRITES.filter(({ endpoint }) => !hasDryRun(endpoint));

/** The resources that requests of an operation can address, and valid JSON values for its fields. */
interface Scenario {
  readonly call: Call;
  readonly ids: { readonly [Name in keyof Required<PathIds>]: readonly Required<PathIds>[Name][] };
  /** The initial entity tags of a record, the list, an alert and a webhook. */
  readonly tags: readonly string[];
  readonly fitting: Readonly<Record<string, readonly string[]>>;
}

/** Creates a key and a project with three records; the first one has a registered plugin and a queued job. */
async function createScenario(service: Service, { family, endpoint }: DescribedOperation): Promise<Scenario> {
  const { token, key: own } = await service.issueKey();
  const { key } = await service.issueKey();
  const call = caller({ base: service.url, token });
  const plugin = 1000 + own.id;
  const fields = ['host', 'token'].map((name) => ({
    key: name,
    type: 'string',
    ...(name === 'token' && { secret: true, runtime_writable: true }),
  }));
  const registration = { name: 'Plugin', config_schema: fields, jobs: [{ type: 'other' }], checks: true };
  await call('PUT', `/api/plugins/${plugin}`, { body: registration });
  if (endpoint.operationId === 'cancel_upgrade')
    await call('POST', `/api/plugins/${plugin}/versions/0/upgrade`);
  const { body: project } = await call('POST', '/api/projects', { body: { name: 'Project' } });
  const all = `/api/projects/${project.id}/${family ?? 'plugin_configs'}`;
  const records: number[] = [];
  for (const id of [plugin, 7, 7]) records.push((await call('POST', all, { body: { plugin: id } })).body.id);
  const [first = 0] = records;
  const one = `${all}/${first}`;
  await call('PUT', `${one}/config`, { body: { host: 'a.example', token: 'secret' } });
  const queued = await call('POST', `${one}/job`, { body: {} });
  const ref = { projectId: project.id, family: family ?? 'plugin_configs' } as const;
  const taken = await takeJob(service, ref, caller({ base: service.url + all, token }));
  await call('PUT', `${all}/runtimes/shop-1`, { body: { version: '1', status: 'applied' } });
  const base = isOfService(endpoint.path) ? '/api' : `/api/projects/${project.id}`;
  const ofOwner = caller({ base: service.url + base, token });
  const items = await createItems(ofOwner, crypto.randomUUID());
  const trust = await service.ports.trusts.add(aTrust(), anAuthor({ at: new Date() }));
  await service.ports.users.signIn(
    aUser({ subject: String(own.id) }),
    aSignIn({ id: String(own.id) }),
    anAuthor({ at: new Date() }),
  );
  const tagged = [
    await call('GET', one),
    await call('GET', all),
    await ofOwner('GET', `/alerts/${items.alert}`),
    await ofOwner('GET', `/webhooks/${items.webhook}`),
  ];
  const texts = ['"a"', '"b"', 'null'];
  return {
    call,
    ids: {
      project: [project.id],
      record: [first, first, ...records, MISSING_ID],
      job: [queued.headers.get('location')?.split('/').at(-1) ?? '', taken.job, NO_JOB],
      check: [taken.check],
      key: [key.id, MISSING_ID],
      trust: [trust.id, trust.id, MISSING_ID],
      plugin: [plugin, plugin + 1_000_000],
      alert: [items.alert, items.alert, MISSING_ID],
      webhook: [items.webhook, items.webhook, MISSING_ID],
      delivery: [items.delivery, items.delivery, NO_JOB],
    },
    tags: tagged.map(({ headers }) => headers.get('etag') ?? ''),
    fitting: {
      plugin: [String(plugin), String(plugin), '7', '8'],
      enabled: ['true', 'false'],
      deleted: ['true', 'false'],
      order: ['0', '1', '2', '5'],
      orders: [`{"${first}":2}`, `{"${records[1]}":1,"${records[2]}":1}`, `{"${MISSING_ID}":1}`],
      name: [...texts, '"Project"'],
      description: texts,
      label: texts,
      host: texts,
      token: ['"other"', '"********"', '""'],
      job: ['{"type":"other"}'],
      scopes: ['["plugin:read"]', '["*"]', '["plugin:write","key:write"]'],
      project_ids: ['null', `[${project.id}]`, `[${MISSING_ID}]`],
      expires_at: ['null', '"2099-01-01T00:00:00Z"', '"2001-01-01T00:00:00Z"'],
      ...(await ownedFields(call, { project: project.id, record: first, endpoint })),
      cursor: ['"a.reader.0.0-7-1-0"', '"a.reader.0-2.1-7-1-2"'],
      version: ['"1"', '"2"', '"0"', '"0"'],
      status: ['"applied"', '"failed"'],
      instance: ['"shop-eu-1"', '"shop-eu-1"', '"other"'],
      types: ['[]', '["other"]'],
      plugins: ['[]', `[${plugin}]`],
      limit: ['1', '10'],
      lease_seconds: ['10', '600'],
      wait: ['0'],
      state: ['"succeeded"', '"failed"'],
      output: ['null', '{"sent":1}'],
      retry: ['true', 'false'],
      progress: ['0', '0.5', 'null'],
      message: texts,
      schema_version: ['2'],
      migrations: ['[{"from":1,"steps":[]}]'],
      examples: ['[]'],
      config: ['{}', '{"host":"a"}', '{"token":"********"}'],
      error: texts,
      failed: [
        `[{"project_id":${project.id},"id":${first},"error":"a"}]`,
        `[{"id":${first},"error":"a"}]`,
        `[{"id":${MISSING_ID},"error":"a"}]`,
        '[]',
      ],
      labels: ['{}', '{"region":"eu"}'],
      config_version: ['2', '2', '2', '3'],
      set: ['{"token":"a"}', '{"token":"b"}', '{"token":null}', '{"host":"a"}', '{}'],
      family: ['"plugin_configs"'],
      record: ['null', String(first)],
      signal: ['"delivery_rate"', '"log"'],
      threshold: ['1', '1', '0.5', 'null'],
      window_minutes: ['15'],
      min_samples: ['0', '10'],
      for: ['{"n":1,"m":1}', '{"n":2,"m":3}'],
      action: ['"notify"', '"disable"'],
      issuer: ['"https://issuer.example"', '"https://other.example"'],
      audience: ['"a"', '"b"'],
      claims: ['{"repository_id":["1"]}', '{"sub":["a","b"]}'],
      max_minutes: ['5', '60', '61'],
      subject: ['null', '{"id":"a"}', '"*"'],
      url: [`"https://a.example/${own.id}"`, '"https://b.example/hook"'],
      events: ['["incident.opened"]', '["record.created","record.updated"]'],
      log_quota: ['null', '{}', '{"entries_per_day":5}', '{"entries_per_day":null,"bytes_per_day":7}'],
      config_schema: ['[]', '[{"key":"host","type":"string","default":"b"}]', JSON.stringify(fields)],
    },
  };
}

/** Returns valid fields for requests about managed records: the key of an owned record, or a current plan. */
async function ownedFields(
  call: Call,
  {
    project,
    record,
    endpoint,
  }: Pick<DescribedOperation, 'endpoint'> & { readonly project: number; readonly record: number },
): Promise<Scenario['fitting']> {
  const configurationPath = `/api/projects/${project}/configuration`;
  if (!endpoint.path.includes('/configuration')) return {};
  const records = [{ family: 'plugin_configs', id: record, key: 'geoip' }];
  const manager = 'checkout-team';
  const document = {
    format: 1,
    manager,
    plugin_configs: [{ key: 'a', plugin: 7, enabled: true, config: { a: 1 } }],
  };
  const { body: planned } = await call<Wire<'plan'>>('POST', `${configurationPath}/plan`, {
    body: { document },
  });
  return {
    document: [JSON.stringify(document)],
    secrets: ['{}'],
    base: [JSON.stringify(planned.base)],
    max_deletes: ['0', '1'],
    manager: [JSON.stringify(manager)],
    records: [JSON.stringify(records), '[]'],
  };
}

interface Sent {
  readonly path: string;
  readonly request: Request;
}

function requests(operation: DescribedOperation, { ids, tags, fitting }: Scenario): fc.Arbitrary<Sent> {
  const { endpoint, header } = operation;
  const values = (name: string): readonly (string | null)[] =>
    ({
      'If-Match': [null, null, ...tags, '*', '"other"'],
      'Idempotency-Key': [null, null, 'one', 'two', ''],
    })[name] ?? [null];
  const headers = fc
    .record(Object.fromEntries(header.map((name) => [name, fc.constantFrom(...values(name))])))
    .map((given) =>
      Object.fromEntries(Object.entries(given).flatMap(([k, v]) => (v === null ? [] : [[k, v]]))),
    );
  const path = fc
    .record({
      project: fc.constantFrom(...ids.project),
      record: fc.constantFrom(...ids.record),
      job: fc.constantFrom(...ids.job),
      check: fc.constantFrom(...ids.check),
      key: fc.constantFrom(...ids.key),
      trust: fc.constantFrom(...ids.trust),
      plugin: fc.constantFrom(...ids.plugin),
      alert: fc.constantFrom(...ids.alert),
      webhook: fc.constantFrom(...ids.webhook),
      delivery: fc.constantFrom(...ids.delivery),
    })
    .map((given) => pathOf(operation, given));
  const examples = Object.values(endpoint.body?.examples ?? {});
  const body = endpoint.body === undefined ? fc.constant(undefined) : bodies(operation, examples, fitting);
  return fc
    .record({ path, headers, body })
    .map((given) => ({ path: given.path, request: { headers: given.headers, body: given.body } }));
}

/** Generates JSON texts with the fields of an example or with any fields, mostly with valid values. */
function bodies(
  { fields }: DescribedOperation,
  examples: readonly JsonObject[],
  fitting: Scenario['fitting'],
): fc.Arbitrary<string> {
  const names = (fields ?? []).filter((name) => !name.includes('.'));
  const known = names.length === 0 ? ['host', 'token', 'other'] : names;
  const keyLists = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...examples.map((example) => Object.keys(example)), known) },
    { weight: 2, arbitrary: fc.subarray([...known]) },
  );
  const odd = fc.constantFrom(...ODD_JSON.filter(({ length }) => length < ODD_VALUE_MAX_LENGTH));
  const member = (name: string): fc.Arbitrary<string> => {
    const given = fitting[name] ?? examples.flatMap((example) => shown(example[name]));
    const arbitrary = given.length === 0 ? odd : fc.constantFrom(...given);
    return fc.oneof({ weight: 15, arbitrary }, { weight: 1, arbitrary: odd });
  };
  const object = keyLists.chain((keys) =>
    fc
      .tuple(...keys.map(member))
      .map((texts) => `{${texts.map((text, n) => `${JSON.stringify(keys[n])}:${text}`).join(',')}}`),
  );
  const whole = fc.constantFrom(...ODD_BODIES.filter(({ length }) => length < ODD_VALUE_MAX_LENGTH));
  return fc.oneof({ weight: 15, arbitrary: object }, { weight: 1, arbitrary: whole });
}

function shown(value: unknown): readonly string[] {
  return value === undefined ? [] : [JSON.stringify(value)];
}

const GENERATED_FIELDS = new Set([
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
  'registered_at',
  'next_attempt_at',
  'token',
  'secret',
  'payload',
  'apply_id',
  'lease_expires_at',
  'base',
]);

/** Returns the response without values that differ in each write: times, tokens and new ids. */
function compared({ status, headers, body }: ReceivedResponse<unknown>): unknown {
  const isNew =
    status === 201 || status === 202 || (status === 200 && Object.hasOwn(body as object, 'apply_id'));
  const isShortLived = isNew && String(Object(body).token).startsWith('pct_');
  const text = JSON.stringify(body, (name, value: unknown) =>
    GENERATED_FIELDS.has(name) ||
    (isShortLived && name === 'expires_at') ||
    (isNew && /^(account_)?id$/.test(name))
      ? undefined
      : value,
  );
  return [status, text, headers.get('idempotent-replayed'), headers.get('retry-after')];
}

test.for(chosen(WRITES_WITH_DRY_RUN, ({ family }) => family !== 'pipeline_transformation_configs'))(
  '$title: a dry run changes no row, and its response equals that of the write',
  { timeout: propertyTimeout(TEST_TIMEOUT_MS) },
  async (operation, { service, database }) => {
    const scenario = await createScenario(service, operation);
    const { method } = operation.endpoint;
    let stored = 0;
    const property = fc.asyncProperty(requests(operation, scenario), async ({ path, request }) => {
      const before = await digestTables(database);
      const dry = await scenario.call(method, `${path}?dry_run=true`, request);
      expect(await digestTables(database)).toEqual(before);
      const real = await scenario.call(method, path, request);
      expect([path, request, compared(dry)]).toEqual([path, request, compared(real)]);
      const isStored = real.status < 300;
      const headers = ['dry-run', 'location', 'etag'].map((name) => dry.headers.get(name));
      expect(headers).toEqual([isStored ? 'true' : headers[0], null, null]);
      expect(real.headers.get('dry-run')).toBeNull();
      if (isStored) stored++;
    });
    const { seed = 0 } = fc.readConfigureGlobal();
    // A seed may give no valid request of an operation.
    for (let round = 0; round < ROUNDS_MAX; round++) {
      await fc.assert(property, { numRuns: propertyRuns(RUNS), endOnFailure: true, seed: seed + round });
      if (stored > 0) break;
    }
    expect(stored).toBeGreaterThan(0);
  },
);

test.for(WRITES_WITHOUT_DRY_RUN)(
  '$title stores nothing and rejects dry runs',
  async ({ endpoint }, { service }) => {
    const call = caller({ base: service.url, token: null });
    const rejected = await call(endpoint.method, `${endpoint.path}?dry_run=true`, {
      headers: ownPage(service.url),
      ...(endpoint.body !== undefined && { body: Object.values(endpoint.body.examples)[0] }),
    });
    expect(rejected).toMatchObject({ status: 400, body: { attr: 'dry_run' } });
  },
);

test('exactly the writes with a dry run have the parameter in the document', () => {
  expect(DESCRIBED.filter(({ query }) => query.includes('dry_run'))).toEqual(WRITES_WITH_DRY_RUN);
  expect(WRITES_WITH_DRY_RUN.length).toBeGreaterThan(20);
  expect(WRITES_WITHOUT_DRY_RUN.map(({ title }) => title)).toEqual(['beginSession', 'endSession']);
});

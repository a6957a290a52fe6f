import type { Plan } from '@plugin-config/client';
import { dumpTables, encodingsOf } from '@plugin-config/persistence/testing';
import { otlpReceiver } from '@plugin-config/tracing/testing';
import { expect, test } from 'vitest';
import { runService, type RunningService } from './testing/running-service.ts';
import { openStream } from './testing/stream.ts';

const CANARY = 'canary-4711';
const [OLD, NEW, PLAIN] = [`${CANARY}-old`, `${CANARY}-new`, `${CANARY}-plain`];
const SCHEMA = [
  { key: 'city', type: 'string' },
  { key: 'token', type: 'string', secret: true },
];
const CONFIG = { city: 'Bern', token: { $secret: 'TOKEN' } };

/** Returns the rows of all tables, and PostgreSQL's statistics about their values, which a backup may contain, too. */
async function storedIn({
  database,
  rows,
}: RunningService): Promise<Readonly<Record<string, readonly string[]>>> {
  await rows('analyze');
  const statistics = await rows<{ line: string }>(
    'select s::text as line from pg_stats s where schemaname = current_schema()',
  );
  return { ...(await dumpTables(database)), pg_stats: statistics.map(({ line }) => line) };
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Only the feeds of runtimes may contain secrets, events and sessions are read separately, and one family is enough. */
const NOT_READ = /\/api\/runtime\/|\/(?:runtime|stream|session|schema)$|pipeline_transformation_configs/;

/** Returns the path of every other GET request that the service documents, with these ids. */
async function readPaths(
  api: string,
  ids: Readonly<Record<string, string | number | undefined>>,
): Promise<readonly string[]> {
  const { paths } = (await (await fetch(`${api}/api/schema`)).json()) as ApiDocument;
  const read = Object.entries(paths).filter(([path, { get }]) => get !== undefined && !NOT_READ.test(path));
  return read.flatMap(([path]) => {
    if (!path.startsWith('/api/')) return [];
    const filled = path.slice('/api/'.length).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (ids[name] === undefined) throw new Error(`The test has no value for ${name} in ${path}.`);
      return String(ids[name]);
    });
    return filled.includes('/configuration') ? `${filled}?manager=team` : filled;
  });
}

const JSON_TYPE = 'application/json; charset=utf-8';

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The expected status. */
  readonly status?: number;
}

test(
  'secrets appear in no response, event, log line, trace, metric, table or statistic, even after attempts to unmask them',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    await using traces = await otlpReceiver();
    const env = { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
    await using service = await runService(env);
    const tenant = await service.tenant();
    const admin = await service.issueKey(['*']);
    const seen: string[] = [];
    const call = async (
      method: string,
      path: string,
      { body, headers = {}, status = 200 }: Call = {},
    ): Promise<string> => {
      const response = await fetch(`${tenant.api}/api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${admin}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        status,
        JSON_TYPE,
      ]);
      seen.push(JSON.stringify([...response.headers]), text);
      return text;
    };
    const project = `projects/${tenant.projectId}`;
    const configuration = `${project}/configuration`;
    const documentOf = (config: object) => ({
      format: 1,
      manager: 'team',
      plugin_configs: [{ key: 'geoip', plugin: 3, config }],
    });
    const plan = async (body: object): Promise<Plan> =>
      JSON.parse(await call('POST', `${configuration}/plan`, { body })) as Plan;
    const apply = async (
      body: object,
      planned: Plan,
      { query = '', ...order }: Call & { readonly query?: string } = {},
    ) =>
      call('POST', `${configuration}/apply${query}`, {
        body: { ...body, base: planned.base },
        ...order,
      });
    const stream = await openStream(tenant, '/plugin_configs/stream');

    // The value is plain, then cleared and made secret; then a new secret is set.
    const plain = { document: documentOf({ token: PLAIN }) };
    await apply(plain, await plan(plain));
    const cleared = { document: documentOf({ token: null }) };
    await apply(cleared, await plan(cleared));
    seen.length = 0;
    const work = { jobs: [{ type: 'replay' }], checks: true };
    await call('PUT', 'plugins/3', { body: { name: 'GeoIP', config_schema: SCHEMA, ...work } });
    const first = { document: documentOf(CONFIG), secrets: { TOKEN: OLD } };
    const planned = await plan(first);
    const named = { headers: { 'idempotency-key': 'once' } };
    await apply(first, planned, { query: '?dry_run=true' });
    await apply(first, planned, named);
    await apply(first, planned, named);
    const second = { document: documentOf({ ...CONFIG, city: 'Basel' }), secrets: { TOKEN: NEW } };
    const next = await plan(second);
    await apply(second, next);
    await apply(second, next, { status: 412 });

    // Errors that could echo what was sent.
    const rejected: readonly Call[] = [
      { body: { document: documentOf({ token: NEW }) } },
      { body: { document: documentOf(CONFIG), secrets: { TOKEN: [NEW] } } },
      { body: { document: documentOf(CONFIG), secrets: { 'no name': NEW } } },
      { body: `{"secrets": {"TOKEN": "${NEW}"]` },
      { body: `{"secrets": {"TOKEN": "${NEW}", "TOKEN": "${NEW}"}}` },
    ];
    for (const order of rejected) await call('POST', `${configuration}/plan`, { ...order, status: 400 });

    const { id } = JSON.parse(await call('GET', `${configuration}/records`)).results[0] as { id: number };
    const record = `${project}/plugin_configs/${id}`;
    const create = async (path: string, body: object): Promise<number> =>
      (JSON.parse(await call('POST', `${project}/${path}`, { body, status: 201 })) as { id: number }).id;
    const alertId = await create('alerts', {
      name: 'Failing',
      family: 'plugin_configs',
      signal: 'runtime',
      window_minutes: 5,
    });
    const webhookId = await create('webhooks', {
      url: 'https://hooks.example.com/',
      events: ['record.updated', 'incident.opened'],
    });
    await call('PATCH', record, { body: { enabled: true } });
    const sentAsConfig: readonly unknown[] = [
      { city: NEW, token: [NEW] },
      { city: [NEW], token: NEW },
      { token: { $ref: `https://user:${NEW}@vault.example` } },
      `{"token": "${NEW}"`,
    ];
    for (const body of sentAsConfig) await call('PUT', `${record}/config`, { body, status: 400 });
    // The only response that may contain it.
    const feed = (headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${tenant.api}/api/${project}/plugin_configs/runtime?wait=1&token=${NEW}`, {
        headers: { authorization: `Bearer ${admin}`, ...headers },
      });
    const given = await feed();
    expect(await given.text()).toContain(NEW);
    const etag = given.headers.get('etag') ?? '';
    expect((await feed({ 'if-none-match': etag })).status).toBe(304);
    const report = { version: etag.slice(1, -1), status: 'failed', failed: [{ id, error: 'Wrong token' }] };
    for (const [body, status] of [
      [report, 204],
      [{ ...report, version: [NEW] }, 400],
    ] as const) {
      const sent = await fetch(`${tenant.api}/api/${project}/plugin_configs/runtimes/one`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(sent.status).toBe(status);
      seen.push(JSON.stringify([...sent.headers]), await sent.text());
    }
    await call('POST', `${record}/revisions/2/restore`, { headers: { 'idempotency-key': 'back' } });
    await call('POST', `${record}/job`, { body: {} });
    await call('POST', `${record}/job`, { body: { job: { type: 'replay', payload: { token: NEW } } } });
    const drafted = { plugin: 3, config: { city: 'Basel', token: NEW }, record: id };
    const check = await call('POST', `${project}/plugin_configs/checks`, { body: drafted, status: 202 });
    await tenant.push([{ plugin_config_id: id, message: 'hello' }]);
    const firstOf = async (list: string): Promise<string | undefined> =>
      (JSON.parse(await call('GET', `${record}/${list}`)) as { results: { id: string }[] }).results[0]?.id;
    const documented = await readPaths(tenant.api, {
      project_id: tenant.projectId,
      id,
      plugin_config_id: id,
      plugin_id: 3,
      version: '0',
      revision: 2,
      job_id: await firstOf('jobs'),
      check_id: (JSON.parse(check) as { id: string }).id,
      entry_id: await firstOf('logs'),
      alert_id: alertId,
      webhook_id: webhookId,
    });
    // The project is not deleted, so it has no erasure, and the alert and the webhook are its own. The upgrade comes last.
    const reads = documented.filter((path) => !/^(erasures|alerts|webhooks)\/|\/upgrade$/.test(path));
    expect(reads.length).toBeGreaterThan(20);
    for (const path of reads) await call('GET', path);

    // Attempts to unmask it.
    const unmasked = {
      name: 'GeoIP',
      config_schema: SCHEMA.map((field) => ({ ...field, secret: false, site: true })),
    };
    const tries = [
      () => call('PUT', 'plugins/3', { body: unmasked }),
      () => call('PUT', 'plugins/4', { body: unmasked }),
      () => call('PATCH', record, { body: { plugin: 4 } }),
      () => call('POST', `${record}/revisions/1/restore`, { headers: { 'idempotency-key': 'again' } }),
      () => call('PATCH', record, { body: { plugin: 3 } }),
      () => call('PUT', `${record}/config?dry_run=true`, { body: { token: NEW } }),
    ];
    for (const attempt of tries) {
      await attempt();
      for (const path of reads) await call('GET', path);
    }
    // An upgrade renames it.
    await call('PUT', 'plugins/3/versions/2', {
      body: {
        schema_version: 2,
        config_schema: [
          { key: 'city', type: 'string' },
          { key: 'key', type: 'string', secret: true },
        ],
        migrations: [{ from: 1, steps: [{ rename: { from: 'token', to: 'key' } }] }],
      },
    });
    const upgrade = 'plugins/3/versions/2/upgrade';
    await call('POST', 'plugins/3/versions/2/plan', { body: {} });
    await call('POST', upgrade, { body: { force: true }, status: 202 });
    await expect
      .poll(async () => JSON.parse(await call('GET', upgrade)) as unknown, { timeout: 20_000 })
      .toMatchObject({ state: 'succeeded', progress: { upgraded: 1 } });
    for (const path of reads) await call('GET', path);
    for (const url of [tenant.api, tenant.ingestion]) seen.push(await (await fetch(`${url}/metrics`)).text());
    // Quick successive changes share an event; the last one is always sent.
    const [last] = await service.rows('select id::int, version::int from config_record');
    await expect
      .poll(() => stream.events.map(({ data }) => data))
      .toContainEqual(expect.objectContaining(last));
    seen.push(JSON.stringify(stream.events));

    const stored = await storedIn(service);
    for (const table of [
      'kept_response',
      'activity',
      'config_revision',
      'audit',
      'config_record',
      'job',
      'runtime_instance',
      'pg_stats',
    ])
      expect(stored[table]?.length).toBeGreaterThan(0);
    await service.end('http', 'SIGTERM');
    await service.end('worker', 'SIGTERM');
    const output = [service.http, service.worker].flatMap((app) => [app.stdout(), app.stderr()]);
    const traced = traces.bodies.join('');
    for (const path of ['/configuration/apply', '/plugin_configs/runtime']) {
      expect(output.join('')).toContain(path);
      expect(traced).toContain(path);
    }
    const encodings = encodingsOf(CANARY);
    for (const text of [...seen, ...Object.values(stored).flat(), ...output, traced])
      expect(encodings.filter((encoded) => text.includes(encoded))).toEqual([]);
  },
);

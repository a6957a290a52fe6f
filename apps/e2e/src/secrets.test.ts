import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Plan } from '@plugin-config/client';
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

/** Takes whatever is sent to it, as a collector of traces. */
async function traceKeeper(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly kept: Buffer[];
}> {
  const kept: Buffer[] = [];
  const server = createServer((request, answer) => {
    void buffer(request).then((body) => {
      kept.push(body);
      answer.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, kept };
}

/** Every row of every table, as text. */
async function tablesOf({ rows }: RunningService): Promise<readonly string[]> {
  const tables = await rows<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const dump = await rows<{ line: string }>(`select '${name} ' || t::text as line from ${name} t`);
    lines.push(...dump.map(({ line }) => line));
  }
  return lines;
}

const JSON_TYPE = 'application/json; charset=utf-8';

interface Order {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** What the answer has to be. */
  readonly status?: number;
}

test('secrets are in no response, event, log line, trace, metric and table, whatever is tried to unmask them', async () => {
  const traces = await traceKeeper();
  const env = { LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  await using service = await runService(env);
  const tenant = await service.tenant();
  const admin = await service.issueKey(['*']);
  const seen: string[] = [];
  const ask = async (
    method: string,
    path: string,
    { body, headers = {}, status = 200 }: Order = {},
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
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, status, JSON_TYPE]);
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
    JSON.parse(await ask('POST', `${configuration}/plan`, { body })) as Plan;
  const apply = async (
    body: object,
    planned: Plan,
    { query = '', ...order }: Order & { readonly query?: string } = {},
  ) =>
    ask('POST', `${configuration}/apply${query}`, {
      body: { ...body, base: planned.base, digest: planned.digest },
      ...order,
    });
  const stream = await openStream(tenant, '/plugin_configs/stream');

  // The value is plain, cleared, and becomes secret; then it is secret, and another one.
  const plain = { document: documentOf({ token: { $literal: PLAIN } }) };
  await apply(plain, await plan(plain));
  const cleared = { document: documentOf({ token: null }) };
  await apply(cleared, await plan(cleared));
  seen.length = 0;
  await ask('PUT', 'plugins/3', { body: { name: 'GeoIP', config_schema: SCHEMA } });
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

  // Rejections that could repeat what was sent.
  const rejected: readonly Order[] = [
    { body: { document: documentOf({ token: NEW }) } },
    { body: { document: documentOf(CONFIG), secrets: { TOKEN: [NEW] } } },
    { body: { document: documentOf(CONFIG), secrets: { 'no name': NEW } } },
    { body: `{"secrets": {"TOKEN": "${NEW}"]` },
    { body: `{"secrets": {"TOKEN": "${NEW}", "TOKEN": "${NEW}"}}` },
  ];
  for (const order of rejected) await ask('POST', `${configuration}/plan`, { ...order, status: 400 });

  const { id } = JSON.parse(await ask('GET', `${configuration}/records`)).results[0] as { id: number };
  const record = `${project}/plugin_configs/${id}`;
  await ask('PATCH', record, { body: { enabled: true } });
  // The only response that may have it.
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
  await ask('POST', `${record}/revisions/2/restore`, { headers: { 'idempotency-key': 'back' } });
  const reads = [
    `${configuration}?manager=team`,
    `${configuration}/drift?manager=team`,
    `${project}/plugin_configs`,
    `${project}/plugin_configs/activity`,
    `${project}/plugin_configs/runtimes`,
    ...['', '/activity', '/frontend', '/revisions', '/revisions/2'].map((path) => record + path),
    'audit',
  ];
  for (const path of reads) await ask('GET', path);

  // Whatever is tried to unmask it.
  const unmasked = {
    name: 'GeoIP',
    config_schema: SCHEMA.map((field) => ({ ...field, secret: false, site: true })),
  };
  const tries = [
    () => ask('PUT', 'plugins/3', { body: unmasked }),
    () => ask('PUT', 'plugins/4', { body: unmasked }),
    () => ask('PATCH', record, { body: { plugin: 4 } }),
    () => ask('POST', `${record}/revisions/1/restore`, { headers: { 'idempotency-key': 'again' } }),
    () => ask('PATCH', record, { body: { plugin: 3 } }),
    () => ask('POST', `${record}/job`, { body: { job: { type: 'send', payload: { token: NEW } } } }),
    () => ask('PUT', `${record}/config?dry_run=true`, { body: { token: NEW } }),
  ];
  for (const attempt of tries) {
    await attempt();
    for (const path of reads) await ask('GET', path);
  }
  for (const url of [tenant.api, tenant.ingestion]) seen.push(await (await fetch(`${url}/metrics`)).text());
  // Changes that follow each other closely share an event; the last one is always told.
  const [last] = await service.rows('select id::int, version::int from config_record');
  await expect
    .poll(() => stream.events.map(({ data }) => data))
    .toContainEqual(expect.objectContaining(last));
  seen.push(JSON.stringify(stream.events));

  const stored = await tablesOf(service);
  for (const table of [
    'kept_answer',
    'activity',
    'config_revision',
    'audit',
    'config_record',
    'job',
    'runtime_instance',
  ])
    expect(stored.some((line) => line.startsWith(`${table} `))).toBe(true);
  await service.end('http', 'SIGTERM');
  await service.end('worker', 'SIGTERM');
  const told = [service.http, service.worker].flatMap((app) => [app.stdout(), app.stderr()]);
  const traced = Buffer.concat(traces.kept).toString('latin1');
  for (const path of ['/configuration/apply', '/plugin_configs/runtime']) {
    expect(told.join('')).toContain(path);
    expect(traced).toContain(path);
  }
  traces.server.close();
  for (const text of [...seen, ...stored, ...told, traced]) expect(text).not.toContain(CANARY);
}, 120_000);

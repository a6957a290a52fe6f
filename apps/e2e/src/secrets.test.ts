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

/** A trace collector that keeps everything it receives. */
async function traceCollector(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly kept: Buffer[];
}> {
  const kept: Buffer[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      kept.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, kept };
}

/** Returns every row of every table as text. */
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

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The expected status. */
  readonly status?: number;
}

test('secrets appear in no response, event, log line, trace, metric or table, even after attempts to unmask them', async () => {
  const traces = await traceCollector();
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
    JSON.parse(await call('POST', `${configuration}/plan`, { body })) as Plan;
  const apply = async (
    body: object,
    planned: Plan,
    { query = '', ...order }: Call & { readonly query?: string } = {},
  ) =>
    call('POST', `${configuration}/apply${query}`, {
      body: { ...body, base: planned.base, digest: planned.digest },
      ...order,
    });
  const stream = await openStream(tenant, '/plugin_configs/stream');

  // The value is plain, then cleared and made secret; then a new secret is set.
  const plain = { document: documentOf({ token: { $literal: PLAIN } }) };
  await apply(plain, await plan(plain));
  const cleared = { document: documentOf({ token: null }) };
  await apply(cleared, await plan(cleared));
  seen.length = 0;
  await call('PUT', 'plugins/3', { body: { name: 'GeoIP', config_schema: SCHEMA } });
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
  await call('PATCH', record, { body: { enabled: true } });
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
  const reads = [
    `${configuration}?manager=team`,
    `${configuration}/drift?manager=team`,
    `${project}/plugin_configs`,
    `${project}/plugin_configs/activity`,
    `${project}/plugin_configs/runtimes`,
    ...['', '/activity', '/frontend', '/revisions', '/revisions/2'].map((path) => record + path),
    'audit',
  ];
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
    () => call('POST', `${record}/job`, { body: { job: { type: 'send', payload: { token: NEW } } } }),
    () => call('PUT', `${record}/config?dry_run=true`, { body: { token: NEW } }),
  ];
  for (const attempt of tries) {
    await attempt();
    for (const path of reads) await call('GET', path);
  }
  for (const url of [tenant.api, tenant.ingestion]) seen.push(await (await fetch(`${url}/metrics`)).text());
  // Quick successive changes share an event; the last one is always sent.
  const [last] = await service.rows('select id::int, version::int from config_record');
  await expect
    .poll(() => stream.events.map(({ data }) => data))
    .toContainEqual(expect.objectContaining(last));
  seen.push(JSON.stringify(stream.events));

  const stored = await tablesOf(service);
  for (const table of [
    'kept_response',
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
  const output = [service.http, service.worker].flatMap((app) => [app.stdout(), app.stderr()]);
  const traced = Buffer.concat(traces.kept).toString('latin1');
  for (const path of ['/configuration/apply', '/plugin_configs/runtime']) {
    expect(output.join('')).toContain(path);
    expect(traced).toContain(path);
  }
  traces.server.close();
  for (const text of [...seen, ...stored, ...output, traced]) expect(text).not.toContain(CANARY);
}, 120_000);

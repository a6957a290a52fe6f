import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Plan } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { runService, type RunningService } from './testing/running-service.ts';
import { openStream } from './testing/stream.ts';

const SECRETS_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
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
  const dumps = tables.map(({ name }) =>
    rows<{ line: string }>(`select '${name} ' || t::text as line from ${name} t`),
  );
  return (await Promise.all(dumps)).flat().map(({ line }) => line);
}

interface Asked {
  readonly status: number;
  readonly text: string;
}

test('the secrets of a document are in no answer, event, log line, trace and table', async () => {
  const traces = await traceKeeper();
  const env = { SECRETS_KEYS, LOG_LEVEL: 'debug', OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  await using service = await runService(env);
  const tenant = await service.tenant();
  const admin = await service.issueKey(['*']);
  const seen: string[] = [];
  const ask = async (
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<Asked> => {
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
    seen.push(JSON.stringify([...response.headers]), text);
    return { status: response.status, text };
  };
  const project = `projects/${tenant.projectId}`;
  const configuration = `${project}/configuration`;
  const documentOf = (config: object) => ({
    format: 1,
    manager: 'team',
    plugin_configs: [{ key: 'geoip', plugin: 3, config }],
  });
  const plan = async (body: object): Promise<Plan> =>
    JSON.parse((await ask('POST', `${configuration}/plan`, { body })).text) as Plan;
  const apply = async (body: object, planned: Plan, headers: Record<string, string> = {}, query = '') =>
    ask('POST', `${configuration}/apply${query}`, {
      body: { ...body, base: planned.base, digest: planned.digest },
      headers,
    });
  const stream = await openStream(tenant, '/plugin_configs/stream');

  // The value is plain, cleared, and becomes secret; then it is secret, and another one.
  const plain = { document: documentOf({ token: { $literal: PLAIN } }) };
  expect((await apply(plain, await plan(plain))).status).toBe(200);
  const cleared = { document: documentOf({ token: null }) };
  expect((await apply(cleared, await plan(cleared))).status).toBe(200);
  seen.length = 0;
  expect((await ask('PUT', 'plugins/3', { body: { name: 'GeoIP', config_schema: SCHEMA } })).status).toBe(
    200,
  );
  const first = { document: documentOf(CONFIG), secrets: { TOKEN: OLD } };
  const planned = await plan(first);
  const named = { 'idempotency-key': 'once' };
  expect((await apply(first, planned, {}, '?dry_run=true')).status).toBe(200);
  expect((await apply(first, planned, named)).status).toBe(200);
  expect((await apply(first, planned, named)).status).toBe(200);
  const second = { document: documentOf({ ...CONFIG, city: 'Basel' }), secrets: { TOKEN: NEW } };
  const next = await plan(second);
  expect((await apply(second, next)).status).toBe(200);
  expect((await apply(second, next)).status).toBe(412);

  // Refusals that could repeat what was sent.
  const plans = `${configuration}/plan`;
  const yaml = { 'content-type': 'application/yaml' };
  const refused = [
    await ask('POST', plans, { body: { document: documentOf({ token: NEW }) } }),
    await ask('POST', plans, { body: { document: documentOf(CONFIG), secrets: { TOKEN: [NEW] } } }),
    await ask('POST', plans, { body: { document: documentOf(CONFIG), secrets: { 'no name': NEW } } }),
    await ask('POST', plans, {
      body: `format: 1\nmanager: team\nplugin_configs:\n  - {key: a, plugin: 3, config: {token: ${NEW}}}\n`,
      headers: yaml,
    }),
    await ask('POST', plans, { body: `{"secrets": {"TOKEN": "${NEW}"]` }),
    await ask('POST', plans, { body: `{"secrets": {"TOKEN": "${NEW}", "TOKEN": "${NEW}"}}` }),
    await ask('POST', plans, { body: `format: 1\nsecrets: "${NEW}" "${NEW}"\n`, headers: yaml }),
    await ask('POST', plans, { body: `format: 1\nsecrets: *${NEW}\n`, headers: yaml }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));

  const { id } = JSON.parse((await ask('GET', `${configuration}/records`)).text).results[0] as { id: number };
  const record = `${project}/plugin_configs/${id}`;
  await ask('POST', `${record}/revisions/2/restore`, { headers: { 'idempotency-key': 'back' } });
  await ask('GET', `${configuration}?manager=team`, { headers: { accept: 'application/yaml' } });
  const reads = [
    `${configuration}?manager=team`,
    `${configuration}/drift?manager=team`,
    `${project}/plugin_configs`,
    `${project}/plugin_configs/activity`,
    ...['', '/activity', '/frontend', '/revisions', '/revisions/2'].map((path) => record + path),
    'audit',
  ];
  for (const path of reads) expect([path, (await ask('GET', path)).status]).toEqual([path, 200]);
  await expect.poll(() => stream.events.length).toBeGreaterThan(2);
  seen.push(JSON.stringify(stream.events));

  // The worker masks what was plain within seconds.
  const masked = async () =>
    (await service.rows('select from unmasked_history union all select from unmasked_edition')).length;
  await expect.poll(masked, { timeout: 60_000 }).toBe(0);
  const stored = await tablesOf(service);
  for (const table of ['kept_answer', 'activity', 'edition', 'audit', 'config_record'])
    expect(stored.some((line) => line.startsWith(`${table} `))).toBe(true);
  await service.end('http', 'SIGTERM');
  await service.end('worker', 'SIGTERM');
  const told = [service.http, service.worker].flatMap((app) => [app.stdout(), app.stderr()]);
  const traced = Buffer.concat(traces.kept).toString('latin1');
  expect(told.join('')).toContain('/configuration/apply');
  expect(traced).toContain('/configuration/apply');
  traces.server.close();
  for (const text of [...seen, ...stored, ...told, traced]) expect(text).not.toContain(CANARY);
}, 120_000);

import { errorBody } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { rawBytes } from './raw-request.ts';
import { test, type Service } from './service.fixture.ts';

const SEED = 20_260_101;
const RUNS = 400;
const SLOW_MS = 1000;
/** Half a request is never answered. */
const PATIENCE_MS = 50;

const SETTINGS = { seed: SEED, numRuns: RUNS };
const FAMILY = fc.constantFrom('plugin_configs', 'pipeline_transformation_configs');

const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 1e308, -1e308, 1e-320, 1.5),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '%',
    '_',
    '\\',
    "'; drop table x --",
    '__proto__',
    'constructor',
    '${x}',
  ),
);
const anyId = fc.oneof(
  anyNumber.map(String),
  anyText,
  fc.constantFrom('@current', '1', 'rearrange', '1e0', '0x1', '+1', '１', ' 1', '1;', '..', '.'),
);
const anyJson = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: anyNumber },
  { weight: 1, arbitrary: anyText },
);
const writable = fc.record(
  {
    plugin: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: anyJson },
    ),
    enabled: fc.oneof(fc.boolean(), anyJson),
    order: fc.oneof(fc.nat(), anyJson),
    name: fc.oneof(fc.string(), anyJson),
    description: fc.oneof(fc.string(), anyJson),
    deleted: fc.oneof(fc.boolean(), anyJson),
    orders: fc.dictionary(anyId, anyJson),
    job: fc.oneof(
      fc.record({ type: anyJson, payload: anyJson, operation: anyJson }, { requiredKeys: [] }),
      anyJson,
    ),
  },
  { requiredKeys: [] },
);
const anyQuery = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(
        'limit',
        'offset',
        'deleted',
        'enabled',
        'plugin',
        'search',
        'type_filter',
        'source',
        'after',
        'before',
        'instance_id',
      ),
      anyText,
    ),
    fc.oneof(
      anyText,
      anyNumber.map(String),
      fc.constantFrom('true', '2026-01-01', '9999-99-99T99:99', '0001-01-01T00:00:00Z', 'ERROR'),
    ),
  ),
  { maxLength: 5 },
);

interface Wild {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Expects an answer in time, no server error, and every error in the documented form. */
async function survives(
  { url }: Service,
  token: string,
  { method, path, headers = {}, body }: Wild,
): Promise<void> {
  const started = performance.now();
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(performance.now() - started).toBeLessThan(SLOW_MS);
  expect(response.status, `${method} ${path} ${body}: ${text}`).toBeLessThan(500);
  if (response.status >= 400) expect(errorBody.safeParse(JSON.parse(text)).error).toBeUndefined();
}

const pathOf = (project: number | string, family: string, ...parts: readonly string[]): string =>
  ['', 'api', 'projects', String(project), family, ...parts.map(encode)].join('/');

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function queryOf(query: readonly (readonly [string, string])[]): string {
  return query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

test('no id breaks anything', async ({ service, project }) => {
  const { token } = await service.issueKey();
  const works = fc.constantFrom(
    ['GET', ''],
    ['PATCH', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', 'activity'],
    ['GET', 'frontend'],
    ['GET', 'logs'],
    ['POST', 'job'],
    ['PUT', 'config'],
    ['GET', 'jobs/x'],
  );
  const wild = fc.asyncProperty(
    fc.oneof(fc.constant(String(project.id)), anyId),
    FAMILY,
    anyId,
    works,
    anyId,
    (at, family, id, [method = '', work = ''], job) =>
      survives(service, token, {
        method,
        path: `${pathOf(encode(at), family, id)}/${work.replace('x', encode(job))}`,
      }),
  );
  await fc.assert(wild, SETTINGS);
});

test('no query breaks anything', async ({ service, project, call }) => {
  const { token } = await service.issueKey();
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1, name: '50% _x_ \\' } });
  const lists = fc.constantFrom('', `/${record.id}/activity`, `/${record.id}/logs`, `/${record.id}`);
  const wild = fc.asyncProperty(lists, anyQuery, (list, query) =>
    survives(service, token, {
      method: 'GET',
      path: `${pathOf(project.id, 'plugin_configs')}${list}?${queryOf(query)}`,
    }),
  );
  await fc.assert(wild, SETTINGS);
});

test('no body breaks anything', async ({ service, project, call }) => {
  const { token } = await service.issueKey();
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const works = fc.constantFrom(
    ['POST', ''],
    ['PATCH', '/rearrange'],
    ['PATCH', `/${record.id}`],
    ['PUT', `/${record.id}`],
    ['POST', `/${record.id}/job`],
    ['PUT', `/${record.id}/config`],
    ['DELETE', `/${record.id}`],
  );
  const bodies = fc.oneof(
    { weight: 3, arbitrary: writable.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: anyJson.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
  const wild = fc.asyncProperty(works, bodies, ([method = '', path = ''], body) =>
    survives(service, token, {
      method,
      path: pathOf(project.id, 'plugin_configs') + path,
      body: body.toWellFormed(),
    }),
  );
  await fc.assert(wild, { ...SETTINGS, numRuns: 2 * RUNS });
});

test('no header breaks anything', async ({ service, project, call }) => {
  const { token } = await service.issueKey();
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 1 } });
  const names = fc.constantFrom(
    'authorization',
    'if-match',
    'if-none-match',
    'content-type',
    'accept',
    'accept-encoding',
    'accept-version',
    'x-request-id',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-http-method-override',
    'range',
    'cookie',
    'expect',
  );
  const values = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.constantFrom('"1-x"', 'W/"1-a"', '*', '""', 'bytes=0-1', '1.x'),
  );
  const methods = fc.constantFrom('GET', 'PATCH', 'DELETE', 'HEAD');
  const wild = fc.asyncProperty(
    methods,
    fc.array(fc.tuple(names, values), { maxLength: 4 }),
    (method, headers) =>
      survivesRaw(service, [
        `${method} ${pathOf(project.id, 'plugin_configs', String(record.id))} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${token}`,
        'Connection: close',
        ...headers.map(([name, value]) => `${name}: ${value}`),
      ]),
  );
  await fc.assert(wild, SETTINGS);
});

test('no bytes on the line break anything', async ({ service }) => {
  const lines = fc.oneof(
    fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
    fc
      .tuple(fc.string({ unit: 'binary-ascii' }))
      .map(([path]) => [`GET /${path} HTTP/1.1`, 'Host: x', 'Connection: close']),
  );
  await fc.assert(
    fc.asyncProperty(lines, (wild) => survivesRaw(service, wild)),
    SETTINGS,
  );
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
});

async function survivesRaw({ url }: Service, lines: readonly string[]): Promise<void> {
  const started = performance.now();
  const { status, head } = await rawBytes(
    url,
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    PATIENCE_MS,
  );
  expect(performance.now() - started).toBeLessThan(SLOW_MS);
  if (head !== '') expect(status, `${lines.join('\n')}\n→ ${head}`).toBeLessThan(500);
}

import fc from 'fast-check';
import { expect } from 'vitest';
import { propertyRuns } from '../../../../../tools/property-runs.ts';
import { rawBytes } from '../raw-request.ts';
import { test, type Service } from '../service.fixture.ts';

const RUNS = 30;
const SLOW_MS = 5000;
/** An incomplete request gets no response. */
const SILENCE_MS = 50;

const SETTINGS = { numRuns: propertyRuns(RUNS) };
test('the service survives odd headers', async ({ service, project, call }) => {
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
  const property = fc.asyncProperty(
    methods,
    fc.array(fc.tuple(names, values), { maxLength: 4 }),
    (method, headers) =>
      survivesRaw(service, [
        `${method} /api/projects/${project.id}/plugin_configs/${record.id} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${token}`,
        'Connection: close',
        ...headers.map(([name, value]) => `${name}: ${value}`),
      ]),
  );
  await fc.assert(property, SETTINGS);
});

test('the service survives random bytes', async ({ service }) => {
  const lines = fc.oneof(
    fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
    fc
      .tuple(fc.string({ unit: 'binary-ascii' }))
      .map(([path]) => [`GET /${path} HTTP/1.1`, 'Host: x', 'Connection: close']),
  );
  await fc.assert(
    fc.asyncProperty(lines, (sent) => survivesRaw(service, sent)),
    SETTINGS,
  );
  expect((await fetch(`${service.url}/livez`)).status).toBe(200);
});

async function survivesRaw({ url }: Service, lines: readonly string[]): Promise<void> {
  const started = performance.now();
  const { status, head } = await rawBytes(
    url,
    Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    SILENCE_MS,
  );
  expect(performance.now() - started).toBeLessThan(SLOW_MS);
  if (head !== '') expect(status, `${lines.join('\n')}\n→ ${head}`).toBeLessThan(500);
}

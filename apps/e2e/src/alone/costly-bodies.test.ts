import { expect, test } from 'vitest';
import { longestStall } from '../testing/longest-stall.ts';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const MIB = 1024 * 1024;
/** A request blocks the event loop for at most 50 ms. The measurement adds up to 10 ms, and a busy machine more. */
const STALL_MS = 60;
/** The best of several tries counts. */
const TRIES = 20;

const running = serviceOfFile();

/** Returns a list of nearly this many bytes. */
function listOf(bytes: number, entry: string): string {
  return `[${`${entry},`.repeat((bytes - 1_000) / (entry.length + 1))}${entry}]`;
}

/** Returns an object of nearly this many bytes, with distinct keys. */
function objectOf(bytes: number): string {
  const entries = Array.from({ length: (bytes - 1_000) / 14 }, (_, n) => `"key${n}":1`);
  return `{${entries.join(',')}}`;
}

const nested = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const plan = (records: string): string =>
  `{"document":{"format":1,"manager":"team","plugin_configs":${records}}}`;
const planOf = (config: string, length = 1): string =>
  plan(`[${Array.from({ length }, (_, n) => `{"key":"key-${n}","plugin":7,"config":${config}}`).join(',')}]`);
const records = (length: number): string =>
  JSON.stringify(
    Array.from({ length }, (_, n) => ({
      key: `key-${n}`,
      plugin: 7,
      enabled: true,
      name: `Record ${n}`,
      config: { database: 'city', rules: { allow: ['a', 'b'], deny: [] }, text: 'x'.repeat(600) },
    })),
  );

type Attack = readonly [what: string, status: number, method: string, path: string, body: () => string];

const PLAN = '/configuration/plan';
const ATTACKS: readonly Attack[] = [
  ['a configuration of a million numbers', 413, 'POST', PLAN, () => planOf(`{"a":${listOf(2 * MIB, '1')}}`)],
  ['a configuration of 150,000 keys', 413, 'POST', PLAN, () => planOf(objectOf(2 * MIB))],
  ['numbers that lose precision', 413, 'POST', PLAN, () => planOf(`{"a":${listOf(2 * MIB, '1e400')}}`)],
  ['half a million levels', 413, 'POST', PLAN, () => planOf(nested(500_000))],
  ['one long text', 413, 'POST', PLAN, () => planOf(`{"a":"${'x'.repeat(2 * MIB - 1_000)}"}`)],
  ['700,000 records', 413, 'POST', PLAN, () => plan(listOf(2 * MIB, '{}'))],
  ['ten thousand wrong records', 400, 'POST', PLAN, () => plan(listOf(30_900, '{}'))],
  ['150,000 unknown fields', 413, 'POST', PLAN, () => `{"document":${objectOf(2 * MIB)}}`],
  [
    'configurations with the maximum number of entries',
    200,
    'POST',
    PLAN,
    () => planOf(objectOf(70_000), 10),
  ],
  ['two thousand records', 200, 'POST', PLAN, () => plan(records(2_000))],
  [
    'records to adopt',
    413,
    'POST',
    '/configuration/adopt',
    () => `{"manager":"a","records":${listOf(2 * MIB, '{}')}}`,
  ],
  ['positions', 413, 'PATCH', '/plugin_configs/rearrange', () => `{"orders":${objectOf(MIB)}}`],
  ['numbers', 413, 'PUT', '/plugin_configs/ID/config', () => `{"a":${listOf(MIB, '1')}}`],
  ['entries', 413, 'PUT', '/plugin_configs/ID/config', () => objectOf(MIB)],
  ['the maximum number of entries', 200, 'PUT', '/plugin_configs/ID/config', () => objectOf(70_000)],
  [
    'a job',
    413,
    'POST',
    '/plugin_configs/ID/job',
    () => `{"job":{"type":"a","payload":${listOf(MIB, '1')}}}`,
  ],
  ['an unknown field', 413, 'PATCH', '/plugin_configs/ID', () => `{"unknown":${listOf(MIB, '1e400')}}`],
];

test.for(ATTACKS)(
  '%s (%d, %s %s) does not block the event loop or slow down neighbours',
  async ([, status, method, path, body]) => {
    const service = running();
    const tenant = await service.tenant();
    const id = await tenant.attach();
    const text = body();
    const other = await neighbour(await service.tenant());
    const call = () => tenant.call(method, path.replace('ID', String(id)), text);
    let shortest = Infinity;
    for (let n = 0; n < TRIES && shortest >= STALL_MS; n++) {
      const { result, stallMs } = await longestStall(service.http, call);
      expect(result.status).toBe(status);
      shortest = Math.min(shortest, stallMs);
    }
    await other.expectUnaffected();
    expect(shortest).toBeLessThan(STALL_MS);
  },
);

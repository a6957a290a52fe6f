import { metricOf } from '@plugin-config/server/testing';
import { anAuthor } from '@plugin-config/testing';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { WireErrorBody } from '@plugin-config/contract';
import { aesSessionCipher } from '@plugin-config/persistence';
import { TEST_KEYS } from '@plugin-config/persistence/testing';
import { expect } from 'vitest';
import { push } from '../../testing/test-bed.ts';
import { anEntry, ndjson } from '../../testing/entries.ts';
import { test } from '../../testing/worker.fixture.ts';

const MIB = 1024 * 1024;

test('stores entries once, no matter how often they are sent', async ({ bed, worker }) => {
  const { record, token } = bed;
  const entry = anEntry(record.id);
  const body = ndjson([entry, anEntry(record.id)]);
  const first = await push(worker.url, body, { token });
  expect([first.status, first.body]).toEqual([200, { stored: 2, duplicates: 0, dead: 0 }]);
  // The response comes after the commit.
  expect(await bed.rows('select from log_entry where id = $1', [entry.id])).toHaveLength(1);
  expect((await push(worker.url, body, { token })).body).toEqual({ stored: 0, duplicates: 2, dead: 0 });
});

test('skips empty lines, stores empty messages, and does not require a final newline', async ({
  bed,
  worker,
}) => {
  const body = `\n${JSON.stringify(anEntry(bed.record.id, { message: '' }))}\r\n\r\n  \n${JSON.stringify(anEntry(bed.record.id))}`;
  expect((await push(worker.url, body, { token: bed.token })).body).toEqual({
    stored: 2,
    duplicates: 0,
    dead: 0,
  });
});

test('accepts a gzipped body', async ({ bed, worker }) => {
  const body = ndjson(Array.from({ length: 1200 }, () => anEntry(bed.record.id)));
  const { body: report } = await push(worker.url, body, { token: bed.token, gzip: true });
  expect(report).toEqual({ stored: 1200, duplicates: 0, dead: 0 });
});

test('limits a gzipped body as it arrives, even if its members are empty', async ({ bed, worker }) => {
  const member = gzipSync('');
  const members = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => member));
  const headers = { 'content-encoding': 'gzip' };
  const many = await push(worker.url, members(100_000), { token: bed.token, headers });
  expect([many.status, many.body]).toEqual([200, { stored: 0, duplicates: 0, dead: 0 }]);
  const piece = members(50_000);
  const body = Readable.from(Array.from({ length: 17 }, () => piece));
  const beyond = await push<WireErrorBody>(worker.url, body, { token: bed.token, headers });
  expect([beyond.status, beyond.body.code]).toEqual([413, 'payload_too_large']);
  expect(await metricOf(worker.url, 'ingest_bytes_in_flight')).toBe(0);
});

test('stores a line of 1 MiB; a longer line becomes a dead letter without being parsed', async ({
  bed,
  worker,
}) => {
  const text = (length: number): string => {
    const shell = JSON.stringify(anEntry(bed.record.id, { message: '' })).length;
    return JSON.stringify(anEntry(bed.record.id, { message: 'x'.repeat(length - shell) }));
  };
  const lines = [text(MIB), text(MIB + 1), text(15 * MIB - 3), text(300)];
  const { body } = await push(worker.url, ndjson(lines.slice(0, 2)), { token: bed.token });
  const large = await push(worker.url, ndjson(lines.slice(2)), { token: bed.token });
  expect([body, large.body]).toMatchObject([
    { stored: 1, duplicates: 0, dead: 1 },
    { stored: 1, duplicates: 0, dead: 1 },
  ]);
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
  expect(letters.map(({ reason, text: kept }) => [reason, kept.length])).toEqual([
    ['too_long', MIB],
    ['too_long', MIB],
  ]);
  await bed.ports.deadLetters.dropAll();
});

test('reports of deliveries and errors count like entries', async ({ bed, worker }) => {
  const delivery = {
    ...anEntry(bed.record.id),
    kind: 'delivery',
    successes: 3,
    successes_on_retry: 1,
    failures: 1,
  };
  const error = { kind: 'error', plugin_config_id: bed.record.id, error: 'broken' };
  const body = ndjson([delivery, delivery, error]);
  expect((await push(worker.url, body, { token: bed.token })).body).toEqual({
    stored: 2,
    duplicates: 1,
    dead: 0,
  });
  await expect
    .poll(() => bed.rows('select delivery_rate, error from config_record where id = $1', [bed.record.id]))
    .toEqual([{ delivery_rate: '0.8000', error: 'broken' }]);
});

test('a message that can never be stored becomes a dead letter, and the others are stored', async ({
  bed,
  worker,
}) => {
  const { id } = bed.record;
  const day = 86_400_000;
  const poison: Readonly<Record<string, string>> = {
    not_json: '{"plugin_config_id":',
    not_an_object: '[1]',
    unknown_kind: '{"kind":"other"}',
    invalid_plugin_config_id: '{"plugin_config_id":1e400,"message":"x"}',
    invalid_message: `{"plugin_config_id":${id}}`,
    invalid_id: JSON.stringify({ ...anEntry(id), id: 'me' }),
    id_without_time: JSON.stringify({ ...anEntry(id), timestamp: undefined }),
    invalid_timestamp: JSON.stringify({ ...anEntry(id), timestamp: 'noon' }),
    too_far_ahead: JSON.stringify(anEntry(id, { timestamp: new Date(Date.now() + 2 * day).toISOString() })),
    too_old: JSON.stringify(anEntry(id, { timestamp: new Date(Date.now() - 30 * day).toISOString() })),
    invalid_source: JSON.stringify({ ...anEntry(id), source: 'plugin' }),
    invalid_type: JSON.stringify({ ...anEntry(id), type: '1' }),
    unknown_plugin_config: JSON.stringify(anEntry(999_999)),
    wrong_team_id: JSON.stringify({ ...anEntry(id), team_id: bed.family.projectId + 1 }),
    wrong_plugin_id: JSON.stringify({ ...anEntry(id), plugin_id: bed.record.plugin + 1 }),
  };
  const body = ndjson(Object.values(poison).flatMap((line) => [line, anEntry(id)]));
  const { body: report } = await push(worker.url, body, { token: bed.token });
  const count = Object.keys(poison).length;
  expect(report).toMatchObject({ stored: count, duplicates: 0, dead: count });
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 100 });
  expect(Object.fromEntries(letters.map(({ reason, text }) => [reason, text]))).toEqual(poison);
  expect(await metricOf(worker.url, 'log_entries_total{outcome="dead",reason="too_old"}')).toBe(1);
  await bed.ports.deadLetters.dropAll();
});

test('a push names its first 100 dead lines with their reasons', async ({ bed, worker }) => {
  const { id: recordId } = bed.record;
  const lines = [
    anEntry(recordId),
    { plugin_config_id: recordId, message: 5 },
    anEntry(recordId),
    ...Array.from({ length: 600 }, () => 'junk'),
  ];
  const { body } = await push(worker.url, `\n${ndjson(lines)}`, { token: bed.token });
  expect(body).toMatchObject({ stored: 2, dead: 601 });
  expect(body.errors).toHaveLength(100);
  expect(body.errors?.slice(0, 2)).toEqual([
    { line: 2, reason: 'invalid_message', detail: '`message` must be a string.' },
    { line: 4, reason: 'not_json', detail: 'The message is not JSON.' },
  ]);
  await bed.ports.deadLetters.dropAll();
});

test('a key for certain projects can write only to them, and learns nothing about other records', async ({
  bed,
  worker,
}) => {
  const { id: other } = await bed.ports.projects.create({ name: 'Other' }, anAuthor({ at: new Date() }));
  const body = ndjson([anEntry(bed.record.id)]);
  const bound = await bed.issueToken({ projectIds: [bed.family.projectId], scopes: ['plugin_log:write'] });
  const stranger = await bed.issueToken({ projectIds: [other], scopes: ['plugin_log:write'] });
  expect((await push(worker.url, body, { token: bound })).body).toEqual({
    stored: 1,
    duplicates: 0,
    dead: 0,
  });
  const foreign = ndjson([anEntry(bed.record.id), anEntry(999_999)]);
  const { body: report } = await push(worker.url, foreign, { token: stranger });
  expect(report).toMatchObject({ stored: 0, duplicates: 0, dead: 2 });
  expect(report.errors?.[0]).toEqual({ ...report.errors?.[1], line: 1 });
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
  const letter = { reason: 'unknown_plugin_config', owner: `project ${other}` };
  expect(letters).toMatchObject([letter, letter]);
  await bed.ports.deadLetters.dropAll();
});

test('rejects an Idempotency-Key, which has no effect', async ({ bed, worker }) => {
  const headers = { 'idempotency-key': 'one' };
  const entry = anEntry(bed.record.id);
  const rejected = await push<WireErrorBody>(worker.url, ndjson([entry]), { token: bed.token, headers });
  expect([rejected.status, rejected.body]).toMatchObject([
    400,
    { code: 'invalid_input', attr: 'Idempotency-Key' },
  ]);
  expect(await bed.rows('select from log_entry where id = $1', [entry.id])).toEqual([]);
});

test('takes a token of a key with the scope, until the token ends', async ({ bed, worker }) => {
  const { accessTokens, hasher } = bed.ports;
  const tokenUntil = (ms: number): string =>
    accessTokens.sign({
      keyHash: hasher.hash(bed.token),
      scopes: ['plugin_log:write'],
      projectIds: [],
      pluginIds: [],
      subject: null,
      expiresAt: new Date(Date.now() + ms),
    });
  expect((await push(worker.url, '{}', { token: tokenUntil(60_000) })).status).toBe(200);
  expect((await push(worker.url, '{}', { token: tokenUntil(-60_000) })).status).toBe(401);
});

test('checks credential, scope, media type and size in this order', async ({ bed, worker }) => {
  const reader = await bed.issueToken({ scopes: ['plugin:write'] });
  const other = { 'content-type': 'application/json' };
  const huge = Buffer.alloc(16 * MIB + 1, 'x');
  const responses = [
    await push<WireErrorBody>(worker.url, 'x', { token: '', headers: other }),
    await push<WireErrorBody>(worker.url, 'x', { token: `phx_${'a'.repeat(43)}`, headers: other }),
    await push<WireErrorBody>(worker.url, 'x', { token: reader, headers: other }),
    await push<WireErrorBody>(worker.url, huge, { token: bed.token, headers: other }),
    await push<WireErrorBody>(worker.url, 'x', { token: bed.token, headers: { 'content-encoding': 'br' } }),
    await push<WireErrorBody>(worker.url, huge, { token: bed.token }),
    await push<WireErrorBody>(worker.url, huge, { token: bed.token, gzip: true }),
    await push<WireErrorBody>(worker.url, randomBytes(64), {
      token: bed.token,
      headers: { 'content-encoding': 'gzip' },
    }),
  ];
  expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
    [401, 'not_authenticated'],
    [401, 'authentication_failed'],
    [403, 'permission_denied'],
    [415, 'unsupported_media_type'],
    [415, 'unsupported_media_type'],
    [413, 'payload_too_large'],
    [413, 'payload_too_large'],
    [400, 'parse_error'],
  ]);
  expect(responses[0]?.headers.get('www-authenticate')).toBe('Bearer');
});

test('does not accept sessions, not even one encrypted with its own keys', async ({ bed }) => {
  const worker = await bed.serve();
  const at = new Date();
  const session = { keyHash: bed.ports.hasher.hash(bed.token), begunAt: at, usedAt: at };
  const encrypted = aesSessionCipher(TEST_KEYS).encrypt(session);
  const response = await fetch(`${worker.url}/ingest`, {
    method: 'POST',
    headers: {
      cookie: `__Host-plugin_config_session=${encrypted}; plugin_config_session=${encrypted}`,
      'content-type': 'application/x-ndjson',
      origin: worker.url,
      'sec-fetch-site': 'same-origin',
    },
    body: ndjson([anEntry(bed.record.id)]),
  });
  expect([response.status, response.headers.getSetCookie(), await response.json()]).toMatchObject([
    401,
    [],
    { code: 'not_authenticated' },
  ]);
});

test('rejects other methods and paths without checking credentials', async ({ worker }) => {
  const wrong = await fetch(`${worker.url}/ingest/`);
  expect([wrong.status, wrong.headers.get('allow'), await wrong.json()]).toMatchObject([
    405,
    'POST',
    { code: 'method_not_allowed' },
  ]);
  const unknown = await fetch(`${worker.url}/other`, { headers: { 'x-request-id': 'mine' } });
  expect([unknown.status, unknown.headers.get('x-request-id')]).toEqual([404, 'mine']);
});

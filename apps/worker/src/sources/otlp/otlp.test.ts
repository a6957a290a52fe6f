import { gzipSync } from 'node:zlib';
import { NO_QUOTA } from '@plugin-config/domain';
import { lossyProxy } from '@plugin-config/persistence/testing';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { anExport, aLogRecord, bytes, encodeExport, MEDIA, type Export } from '../../testing/otlp.ts';
import { exported, sdkExporter, sdkRecords } from '../../testing/otlp-exporter.ts';
import { test } from '../../testing/worker.fixture.ts';
import type { OtlpEncoding } from './otlp-response.ts';

const ENCODINGS = ['protobuf', 'json'] as const;
const MIB = 1024 * 1024;

interface Sent {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a body to a worker. Resolves to the status, type and body of the response. */
async function send(url: string, encoding: OtlpEncoding, body: Buffer, { token = '', headers = {} }: Sent) {
  const response = await fetch(`${url}/v1/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': MEDIA[encoding], ...headers },
    body: new Uint8Array(body),
  });
  const type = response.headers.get('content-type')?.split(';')[0];
  return {
    status: response.status,
    type,
    retryAfter: response.headers.get('retry-after'),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

const exportOf = (recordId: number, ...messages: readonly string[]): Export =>
  anExport(
    recordId,
    messages.map((stringValue) => aLogRecord({ body: { stringValue } })),
  );

test.for(ENCODINGS)(
  '%s: stores an export once, no matter how often it is sent',
  async (encoding, { bed, worker }) => {
    const body = encodeExport(
      encoding,
      exportOf(bed.record.id, `${encoding} 1`, `${encoding} 2`, `${encoding} 2`),
    );
    for (let times = 0; times < 3; times++) {
      const response = await send(worker.url, encoding, body, bed);
      expect([response.status, response.type]).toEqual([200, MEDIA[encoding]]);
      expect(response.body.toString()).toBe(encoding === 'json' ? '{}' : '');
    }
    const stored = 'select message from log_entry where message like $1 order by message';
    expect(await bed.rows(stored, [`${encoding} %`])).toEqual([
      { message: `${encoding} 1` },
      { message: `${encoding} 2` },
      { message: `${encoding} 2` },
    ]);
  },
);

test('accepts gzipped bodies', async ({ bed, worker }) => {
  const body = gzipSync(encodeExport('protobuf', exportOf(bed.record.id, 'packed')));
  const headers = { 'content-encoding': 'gzip' };
  expect(await send(worker.url, 'protobuf', body, { ...bed, headers })).toMatchObject({ status: 200 });
  expect(await bed.rows('select from log_entry where message = $1', ['packed'])).toHaveLength(1);
});

test('log records that cannot be stored count as rejected, and become dead letters', async ({
  bed,
  worker,
}) => {
  const { resourceLogs } = exportOf(bed.record.id, 'kept');
  const mixed = { resourceLogs: [...resourceLogs, ...exportOf(999_999, 'lost', 'lost').resourceLogs] };
  const json = await send(worker.url, 'json', encodeExport('json', mixed), bed);
  expect([json.status, JSON.parse(json.body.toString())]).toEqual([
    200,
    {
      partialSuccess: { rejectedLogRecords: '2', errorMessage: expect.stringContaining('plugin_config.id') },
    },
  ]);
  const protobuf = await send(worker.url, 'protobuf', encodeExport('protobuf', mixed), bed);
  const partial = Buffer.concat([
    Buffer.from([0x08, 2]),
    bytes(2, Buffer.from(JSON.parse(json.body.toString()).partialSuccess.errorMessage as string)),
  ]);
  expect(protobuf.body).toEqual(bytes(1, partial));
  const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
  expect(letters.map(({ reason }) => reason)).toEqual(Array(4).fill('unknown_plugin_config'));
  expect(JSON.parse(letters[0]?.text ?? '')).toMatchObject({
    plugin_config_id: 999_999,
    message: 'lost',
    type: 'INFO',
  });
  await bed.ports.deadLetters.dropAll();
});

/** Decodes a `google.rpc.Status`. */
function statusIn(encoding: OtlpEncoding, body: Buffer): { readonly code: number; readonly message: string } {
  if (encoding === 'json') return JSON.parse(body.toString());
  const rest = body.subarray(2);
  const content = rest.subarray((rest[1] ?? 0) < 0x80 ? 2 : 3);
  expect(rest).toEqual(bytes(2, content));
  expect(body[0]).toBe(0x08);
  return { code: body[1] ?? 0, message: content.toString() };
}

test.for(ENCODINGS)(
  '%s: an error response is a Status in the encoding of the request',
  async (encoding, { bed, worker }) => {
    const fails = async (body: Buffer, sent: Sent) => {
      const response = await send(worker.url, encoding, body, sent);
      expect(response.type).toBe(MEDIA[encoding]);
      return [response.status, statusIn(encoding, response.body)];
    };
    expect(await fails(Buffer.from('{'), bed)).toEqual([
      400,
      { code: 3, message: expect.stringContaining('The body is not a valid ExportLogsServiceRequest: ') },
    ]);
    expect(await fails(Buffer.alloc(16 * MIB + 1), bed)).toEqual([
      413,
      { code: 3, message: 'The request body may be no larger than 16 MiB.' },
    ]);
    expect(await fails(Buffer.from('{}'), { headers: { 'content-encoding': 'br' } })).toMatchObject([
      401,
      { code: 16 },
    ]);
    expect(await fails(Buffer.from('{}'), { ...bed, headers: { 'idempotency-key': 'one' } })).toEqual([
      400,
      {
        code: 3,
        message: 'Idempotency-Key: This header has no effect here. Send the request without it.',
      },
    ]);
    const unpacked = { ...bed, headers: { 'content-encoding': 'br' } };
    expect(await fails(Buffer.from('{}'), unpacked)).toMatchObject([415, { code: 3 }]);
    const token = await bed.issueToken({ scopes: ['plugin:read'] });
    expect(await fails(Buffer.from('{}'), { token })).toMatchObject([403, { code: 7 }]);
  },
);

test.for(ENCODINGS)(
  '%s: a key for certain projects or plugins can write only to their records',
  async (encoding, { bed, worker }) => {
    const { id: other } = await bed.ports.projects.create({ name: 'Other' }, anAuthor());
    const body = encodeExport(encoding, exportOf(bed.record.id, `from a stranger ${encoding}`));
    for (const limit of [{ projectIds: [other] }, { pluginIds: [bed.record.plugin + 1] }]) {
      const token = await bed.issueToken({ ...limit, scopes: ['plugin_log:write'] });
      expect(await send(worker.url, encoding, body, { token })).toMatchObject({ status: 200 });
    }
    const stored = await bed.rows('select from log_entry where message like $1', ['from a stranger %']);
    expect(stored).toEqual([]);
    const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
    const unknown = 'unknown_plugin_config';
    expect(letters.map(({ reason }) => reason)).toEqual([unknown, unknown]);
    await bed.ports.deadLetters.dropAll();
  },
);

test.for(ENCODINGS)(
  '%s: an export entirely over quota must be retried, and one partly over quota is rejected in part',
  async (encoding, { bed, worker }) => {
    const { id, projectId } = await aRecord(bed.ports, await aFamily(bed.ports));
    const change = (entriesPerDay: number) =>
      bed.ports.projects.change(projectId, { logQuota: { ...NO_QUOTA, entriesPerDay } }, anAuthor());
    const sent = (...messages: readonly string[]) =>
      send(worker.url, encoding, encodeExport(encoding, exportOf(id, ...messages)), bed);
    await change(2);
    expect(await sent('1', '2')).toMatchObject({ status: 200 });
    const rejected = await sent('3');
    expect([rejected.status, statusIn(encoding, rejected.body).code]).toEqual([429, 8]);
    expect(Number(rejected.retryAfter)).toBeGreaterThan(0);
    expect(Number(rejected.retryAfter)).toBeLessThanOrEqual(900);
    const large = await sent('3', '4', '5');
    expect([large.status, statusIn(encoding, large.body).code]).toEqual([413, 3]);
    await change(3);
    const partial = await sent('3', '4');
    expect([partial.status, partial.body.toString()]).toEqual([200, expect.stringContaining('log quota')]);
    const letters = await bed.ports.deadLetters.list({ after: 0, limit: 10 });
    expect(letters.map(({ reason }) => reason)).toEqual(['over_quota']);
    await bed.ports.deadLetters.dropAll();
  },
);

test('rejects other media types', async ({ bed, worker }) => {
  for (const type of ['text/plain', 'application/json; charset=latin1', 'application/x-ndjson']) {
    const response = await send(worker.url, 'json', Buffer.from('{}'), {
      ...bed,
      headers: { 'content-type': type },
    });
    expect([response.status, response.type]).toEqual([415, 'application/json']);
  }
});

test('rejects JSON that is not UTF-8', async ({ bed, worker }) => {
  const body = Buffer.from('{"a":"\xff"}', 'latin1');
  expect(await send(worker.url, 'json', body, bed)).toMatchObject({ status: 400 });
});

test.for(ENCODINGS)(
  '%s: stores an export once if the exporter of the SDK retries it',
  async (encoding, { bed }) => {
    let isLost = false;
    await using proxy = await lossyProxy(bed.databaseUrl, {
      request: 'commit\0',
      loss: 'XX000',
      isLost: () => isLost,
    });
    using worker = await bed.serve({ DATABASE_URL: proxy.url });
    const records = sdkRecords(bed.record.id, [`sdk ${encoding} 1`, `sdk ${encoding} 2`]);
    const exporter = sdkExporter(encoding, worker.url, bed.token);
    isLost = true;
    const result = exported(exporter, records);
    await expect.poll(() => worker.log()).toContain('"status":503');
    isLost = false;
    expect(await result).toBeUndefined();
    const search = `sdk ${encoding}`;
    const filter = {
      types: ['ERROR'],
      source: 'PLUGIN',
      instanceId: null,
      after: null,
      before: null,
      search,
    };
    const { items } = await bed.ports.logs.page(bed.record, filter, { limit: 10, offset: 0 });
    expect(items.map(({ message }) => message)).toEqual([`sdk ${encoding} 2`, `sdk ${encoding} 1`]);
    await exporter.shutdown();
    await worker.stop();
  },
);

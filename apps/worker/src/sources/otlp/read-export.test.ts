import { DomainError } from '@plugin-config/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aLogRecord,
  anExport,
  bytes,
  encodeExport,
  protobufOf,
  varint,
  type AnyValue,
  type Export,
} from '../../testing/otlp.ts';
import { otlpLines } from './otlp-lines.ts';
import type { OtlpEncoding } from './otlp-response.ts';
import { readOtlpJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';

const ENCODINGS = ['protobuf', 'json'] as const;
const AT = new Date('2026-03-01T09:30:00Z');
const TIME = '1772357400123456789';
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

function readAll(encoding: OtlpEncoding, body: Buffer) {
  return encoding === 'json' ? readOtlpJson(body.toString()) : readProtobuf(body);
}

interface Entry {
  readonly id: string;
  readonly plugin_config_id: number | null;
  readonly timestamp: string;
  readonly message: string;
}

function entriesOf(encoding: OtlpEncoding, body: Buffer): readonly Entry[] {
  const lines = Buffer.concat([...otlpLines(readAll(encoding, body), AT)]).toString();
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}

/** Whether an export is readable. Throws errors of any other kind. */
function isReadable(encoding: OtlpEncoding, body: Buffer): boolean {
  try {
    readAll(encoding, body);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DomainError) return false;
    throw error;
  }
}

const { value: anyValues } = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.record({ stringValue: fc.string({ unit: 'grapheme' }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }).map(String) }),
    fc.record({ doubleValue: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    fc.record({ bytesValue: fc.uint8Array().map((content) => Buffer.from(content).toString('base64')) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 3 }) }) }),
    fc.record({
      kvlistValue: fc.record({
        values: fc.array(fc.record({ key: fc.string(), value: tie('value') }), { maxLength: 3 }),
      }),
    }),
  ),
}));

const attributeLists = fc.array(
  fc.record({
    key: fc.constantFrom('plugin_config.id', 'log.record.uid', 'service.instance.id', 'other'),
    value: fc.oneof(
      anyValues,
      fc.uuid().map((stringValue) => ({ stringValue })),
    ),
  }),
  { maxLength: 3 },
);

const times = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);

const exports: fc.Arbitrary<Export> = fc.record({
  resourceLogs: fc.array(
    fc.record({
      resource: fc.record({ attributes: attributeLists }),
      scopeLogs: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string(), attributes: attributeLists }),
          logRecords: fc.array(
            fc.record(
              {
                timeUnixNano: times,
                observedTimeUnixNano: times,
                severityNumber: fc.nat(30),
                body: anyValues,
                attributes: attributeLists,
              },
              { requiredKeys: [] },
            ),
            { maxLength: 4 },
          ),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
});

const withoutId = ({ id: _id, ...rest }: Entry): object => rest;

test('reads the same entries from both encodings', () => {
  fc.assert(
    fc.property(exports, (value) => {
      const [protobuf, json] = ENCODINGS.map((encoding) =>
        entriesOf(encoding, encodeExport(encoding, value)).map(withoutId),
      );
      expect(protobuf).toEqual(json);
    }),
  );
});

test.each(ENCODINGS)('%s: keeps all nanoseconds of a time, and all digits of a body', (encoding) => {
  const record = aLogRecord({ timeUnixNano: TIME, body: { intValue: String(INT64_MIN) } });
  const [read] = readAll(encoding, encodeExport(encoding, anExport(7, [record])));
  expect(read).toMatchObject({ record: { timeUnixNano: BigInt(TIME), message: String(INT64_MIN) } });
});

test('accepts 64-bit integers as JSON numbers, too', () => {
  const text = JSON.stringify(anExport(7, [aLogRecord({ timeUnixNano: 'TIME', body: { intValue: 'INT' } })]));
  const body = text.replace('"TIME"', TIME).replace('"INT"', String(INT64_MAX));
  const [read] = readAll('json', Buffer.from(body));
  expect(read).toMatchObject({ record: { timeUnixNano: BigInt(TIME), message: String(INT64_MAX) } });
});

test.each(ENCODINGS)('%s: equal records get different ids, which are the same in a retry', (encoding) => {
  const record = aLogRecord({ timeUnixNano: TIME });
  const later = aLogRecord({ timeUnixNano: String(BigInt(TIME) + 1n) });
  const body = encodeExport(encoding, anExport(7, [record, record, later, record]));
  const ids = entriesOf(encoding, body).map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  expect(entriesOf(encoding, body).map(({ id }) => id)).toEqual(ids);
  const alone = entriesOf(encoding, encodeExport(encoding, anExport(7, [later])));
  expect(alone.map(({ id }) => id)).toEqual([ids[2]]);
  const ofAnother = entriesOf(encoding, encodeExport(encoding, anExport(8, [later])));
  expect(ofAnother[0]?.id).not.toBe(ids[2]);
});

test('accepts fields in any order, and ignores unknown fields', () => {
  const record = { ...aLogRecord(), traceId: 'abc', later: { a: [{ b: 1 }] } };
  const [{ resource, scopeLogs }] = anExport(7, [record]).resourceLogs as [Export['resourceLogs'][0]];
  const json = { later: [[1]], resourceLogs: [{ schemaUrl: 'x', scopeLogs, resource }] };
  expect(entriesOf('json', Buffer.from(JSON.stringify(json)))).toMatchObject([{ plugin_config_id: 7 }]);

  const [ofResource, ofScopes] = [
    protobufOf({ resourceLogs: [{ scopeLogs: [], ...(resource && { resource }) }] }),
    protobufOf({ resourceLogs: [{ scopeLogs }] }),
  ].map((whole) => whole.subarray(2));
  const group = Buffer.from([0x7b, 0x83, 0x01, 0x84, 0x01, 0x7c]);
  const unknown = Buffer.concat([
    varint(0x78),
    varint(-1),
    varint(0x7d),
    Buffer.alloc(4),
    bytes(99, Buffer.from('x')),
    group,
  ]);
  const parts = [unknown, ofScopes ?? unknown, unknown, ofResource ?? unknown];
  const body = Buffer.concat([unknown, bytes(1, Buffer.concat(parts))]);
  expect(entriesOf('protobuf', body)).toMatchObject([{ plugin_config_id: 7 }]);
});

test.each(ENCODINGS)('%s: a truncated body is malformed or has fewer records', (encoding) => {
  const body = encodeExport(encoding, anExport(7, [aLogRecord(), aLogRecord()]));
  for (let end = 1; end < body.length; end++) {
    expect(isReadable(encoding, body.subarray(0, end)), `${end} bytes`).toBe(false);
  }
});

test.each(ENCODINGS)('%s: arbitrary bytes are read or rejected as malformed', (encoding) => {
  const body = encodeExport(
    encoding,
    anExport(7, [aLogRecord({ body: { arrayValue: { values: [{ intValue: '1' }] } } })]),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      (changes) => {
        const changed = Buffer.from(body);
        for (const [at, byte] of changes) changed[at] = byte;
        isReadable(encoding, changed);
      },
    ),
  );
  fc.assert(fc.property(fc.uint8Array(), (odd) => void isReadable(encoding, Buffer.from(odd))));
});

test.each([
  ['a length beyond the body', [0x0a, 0x05, 0x00]],
  ['a huge length', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['an integer of more than ten bytes', [0x78, ...Array<number>(10).fill(0x80), 0x00]],
  ['the field 0', [0x02, 0x00]],
  ['a field with a number of more than 32 bits', [0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x00]],
  ['an unknown type', [0x0e, 0x00]],
  ['a group that does not end', [0x7b, 0x78, 0x00]],
  ['the end of a group that never began', [0x7c]],
  ['a thousand open groups', Array<number>(1000).fill(0x7b)],
])('%s is malformed', (_what, body) => {
  expect(isReadable('protobuf', Buffer.from(body))).toBe(false);
});

test('accepts integers that are longer than necessary', () => {
  expect(isReadable('protobuf', Buffer.from([0x78, 0x80, 0x80, 0x80, 0x00]))).toBe(true);
});

function nested(depth: number): AnyValue {
  return depth === 0 ? { intValue: '1' } : { arrayValue: { values: [nested(depth - 1)] } };
}

test.each(ENCODINGS)('%s: limits the nesting of values', (encoding) => {
  const withDepth = (depth: number) =>
    encodeExport(encoding, anExport(7, [aLogRecord({ body: nested(depth) })]));
  expect(isReadable(encoding, withDepth(60))).toBe(true);
  expect(isReadable(encoding, withDepth(70))).toBe(false);
  expect(isReadable(encoding, withDepth(1000))).toBe(false);
});

test.each([
  '',
  'null',
  '[]',
  '1',
  '{"resourceLogs":{}}',
  '{"resourceLogs":[1]}',
  '{"resourceLogs":[{"resource":1}]}',
  '{"resourceLogs":[{"scopeLogs":[{"scope":[],"logRecords":[]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[1]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":{"":{}}}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"soon"}]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":-1}]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"18446744073709551616"}]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":"text"}]}]}]}',
  '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":{}}]}]}]}',
  '['.repeat(100_000),
])('rejects malformed text %#', (text) => {
  expect(() => readAll('json', Buffer.from(text))).toThrow(SyntaxError);
});

test.each(ENCODINGS)('%s: limits the number of log records', (encoding) => {
  const many = (count: number) =>
    encodeExport(
      encoding,
      anExport(
        7,
        Array.from({ length: count }, () => ({})),
      ),
    );
  expect(readAll(encoding, many(50_000))).toHaveLength(50_000);
  expect(() => readAll(encoding, many(50_001))).toThrow('An export may have at most 50,000 log records.');
});

test.each(ENCODINGS)('%s: limits the number of fields in an export', (encoding) => {
  const empty = Buffer.from(encoding === 'json' ? '[],' : [0x78, 0x00]);
  expect(() => readAll(encoding, Buffer.alloc(empty.length * 500_001, empty))).toThrow(
    expect.objectContaining({ code: 'too_large' }),
  );
});

test('a large resource is hashed once, however many scopes it has', () => {
  const resource = bytes(1, bytes(9, Buffer.alloc(2_000_000)));
  const scopes = Array.from({ length: 5_000 }, () => bytes(2, Buffer.alloc(0)));
  const began = process.cpuUsage();
  expect(readAll('protobuf', bytes(1, Buffer.concat([resource, ...scopes])))).toEqual([]);
  // Hashing it for each scope takes five seconds or more.
  expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
});

import { expect, test } from 'vitest';
import {
  OtlpBytes,
  otlpEntry,
  otlpMessage,
  type OtlpAttributes,
  type OtlpLogRecord,
  type OtlpOrigin,
  type OtlpValue,
} from './otlp-entry.ts';

const UUID = '0195A0B1-C2D3-4E4F-8A6B-7C8D9E0F1A2B';
const AT = '2026-03-01T09:30:00.123Z';
const NANOSECONDS = BigInt(Date.parse(AT)) * 1_000_000n + 456_789n;

function attributes(given: Readonly<Record<string, OtlpValue>>): OtlpAttributes {
  return new Map(Object.entries(given));
}

function entryOf(given: Partial<OtlpLogRecord> = {}, origin: Partial<OtlpOrigin> = {}) {
  const record = {
    timeUnixNano: NANOSECONDS,
    observedTimeUnixNano: 0n,
    severityNumber: 9,
    message: 'hello',
    attributes: attributes({ 'plugin_config.id': 7n }),
    ...given,
  };
  return otlpEntry(record, {
    resource: attributes({}),
    scope: attributes({}),
    receivedAt: new Date('2026-03-02T00:00:00Z'),
    newId: () => 'derived',
    ...origin,
  });
}

test('a log record becomes an entry', () => {
  expect(entryOf()).toEqual({
    plugin_config_id: 7,
    id: 'derived',
    timestamp: AT,
    type: 'INFO',
    message: 'hello',
  });
});

test.each([
  [7n, 7],
  ['7', 7],
  [9_007_199_254_740_991n, Number.MAX_SAFE_INTEGER],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['9007199254740993', null],
  [9_007_199_254_740_993n, null],
  [0n, null],
  [-7n, null],
  [7, null],
  ['7.0', null],
  ['seven', null],
  ['', null],
  [true, null],
  [null, null],
])('the attribute plugin_config.id = %s gives the plugin config %s', (value, id) => {
  expect(entryOf({ attributes: attributes({ 'plugin_config.id': value }) }).plugin_config_id).toBe(id);
});

test('record attributes take precedence over scope attributes, and those over resource attributes', () => {
  const resource = attributes({ 'plugin_config.id': 1n });
  const scope = attributes({ 'plugin_config.id': 2n });
  const bare = attributes({});
  expect(entryOf({}, { scope, resource }).plugin_config_id).toBe(7);
  expect(entryOf({ attributes: bare }, { scope, resource }).plugin_config_id).toBe(2);
  expect(entryOf({ attributes: bare }, { resource }).plugin_config_id).toBe(1);
  expect(entryOf({ attributes: bare }).plugin_config_id).toBeNull();
});

test('the time is that of the record, else of its observation, else of its receipt', () => {
  expect(entryOf({ observedTimeUnixNano: 1n }).timestamp).toBe(AT);
  expect(entryOf({ timeUnixNano: 0n, observedTimeUnixNano: NANOSECONDS }).timestamp).toBe(AT);
  expect(entryOf({ timeUnixNano: 0n }).timestamp).toBe('2026-03-02T00:00:00.000Z');
  expect(entryOf({ timeUnixNano: 2n ** 64n - 1n }).timestamp).toBe('2554-07-21T23:34:33.709Z');
});

test.each([
  [0, 'LOG'],
  [1, 'DEBUG'],
  [8, 'DEBUG'],
  [9, 'INFO'],
  [12, 'INFO'],
  [13, 'WARN'],
  [16, 'WARN'],
  [17, 'ERROR'],
  [24, 'ERROR'],
  [25, 'LOG'],
  [-1, 'LOG'],
])('severity %i is %s', (severityNumber, type) => {
  expect(entryOf({ severityNumber }).type).toBe(type);
});

test('the id is the attribute log.record.uid of the record, if it is a UUID', () => {
  const uid = (value: OtlpValue) => entryOf({ attributes: attributes({ 'log.record.uid': value }) }).id;
  expect(uid(UUID)).toBe(UUID.toLowerCase());
  expect(uid('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('derived');
  expect(entryOf({}, { resource: attributes({ 'log.record.uid': UUID }) }).id).toBe('derived');
});

test('the instance is the attribute service.instance.id of the resource, if it is a UUID', () => {
  const instance = (value: OtlpValue) =>
    entryOf({}, { resource: attributes({ 'service.instance.id': value }) }).instance_id;
  expect(instance(UUID)).toBe(UUID.toLowerCase());
  expect(instance('pod-1')).toBeUndefined();
});

test.each<[OtlpValue, string]>([
  ['hello', 'hello'],
  [null, ''],
  [9_007_199_254_740_993n, '9007199254740993'],
  [0.5, '0.5'],
  [Number.NaN, '"NaN"'],
  [true, 'true'],
  [new OtlpBytes('aGk='), '"aGk="'],
  [['a', null, 1n], '["a",null,1]'],
  [
    new Map<string, OtlpValue>([
      ['a "b"', ['c']],
      ['d', new Map()],
    ]),
    String.raw`{"a \"b\"":["c"],"d":{}}`,
  ],
])('body %# becomes its message', (body, message) => {
  expect(otlpMessage(body)).toBe(message);
});

test('a long body is truncated, with the number of missing characters', () => {
  expect(otlpMessage('x'.repeat(50_010))).toMatch(/x… \[10 more characters\]$/);
});

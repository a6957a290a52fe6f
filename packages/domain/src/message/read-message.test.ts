import { describe, expect, test } from 'vitest';
import { MESSAGE_MAX } from '../log/storable-text.ts';
import { DEAD_REASONS } from './dead-reason.ts';
import { ORIGIN as ANY_ORIGIN } from './message.fixture.ts';
import { MESSAGE_TEXT_MAX, type Message, type MessageOrigin } from './message.ts';
import { readMessage } from './read-message.ts';
import type { MessageContext } from './message-context.ts';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const OWN = '0197a3f0-1111-7222-8333-944455556666';
const NEW_ID = '0197a3f0-9999-7999-8999-999999999999';
const RANDOM_ID = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
const CONTEXT: MessageContext = {
  instanceId: OWN,
  newId: () => NEW_ID,
  earliest: Date.parse('2026-03-03T00:00:00.000Z'),
  latest: NOW + 86_400_000,
};
const ORIGIN: MessageOrigin = { ...ANY_ORIGIN, receivedAt: new Date(NOW) };

function read(value: unknown, origin: Partial<MessageOrigin> = {}): Message {
  return readText(JSON.stringify(value), origin);
}

function readText(text: string, origin: Partial<MessageOrigin> = {}): Message {
  return readMessage({ text, origin: { ...ORIGIN, ...origin }, position: 12 }, CONTEXT);
}

function reasonOf(message: Message): string {
  return message.kind === 'dead' ? message.reason : `alive: ${message.kind}`;
}

/** A version 7 UUID for this time. */
function idAt(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
}

const WHOLE = {
  id: RANDOM_ID,
  team_id: 1,
  plugin_id: 7,
  plugin_config_id: 42,
  timestamp: '2026-03-10T11:59:58.123Z',
  source: 'SYSTEM',
  type: 'DEBUG',
  message: 'Loaded',
  instance_id: '6F9619FF-8B86-4011-B42D-00CF4FC964FF',
};
const LEAST = { plugin_config_id: 42, message: '' };
const DELIVERY = {
  kind: 'delivery',
  id: RANDOM_ID,
  plugin_config_id: 42,
  successes: 3,
  successes_on_retry: 0,
  failures: 2_147_483_647,
  timestamp: '2026-03-10T11:00:00Z',
};

describe('an entry', () => {
  test('keeps its values', () => {
    expect(read(WHOLE)).toEqual({
      kind: 'log',
      text: JSON.stringify(WHOLE),
      origin: ORIGIN,
      id: RANDOM_ID,
      recordId: 42,
      projectId: 1,
      plugin: 7,
      timestamp: Date.parse(WHOLE.timestamp),
      source: 'SYSTEM',
      type: 'DEBUG',
      message: 'Loaded',
      instanceId: RANDOM_ID,
    });
  });

  test('requires only its record and message', () => {
    expect(read(LEAST)).toMatchObject({
      id: NEW_ID,
      projectId: null,
      plugin: null,
      timestamp: NOW,
      source: 'PLUGIN',
      type: 'LOG',
      message: '',
      instanceId: OWN,
    });
  });

  test('may have null in each optional field', () => {
    const nulls = {
      id: null,
      team_id: null,
      plugin_id: null,
      timestamp: null,
      source: null,
      type: null,
      instance_id: null,
    };
    expect({ ...read({ ...LEAST, ...nulls, kind: null }), text: '' }).toEqual({ ...read(LEAST), text: '' });
  });

  test('may have unknown fields', () => {
    expect(read({ ...LEAST, level: 3, __proto__: null, nested: [{}] })).toMatchObject({ kind: 'log' });
    expect(readText('{"plugin_config_id":42,"message":"m","__proto__":{"kind":"error"}}')).toMatchObject({
      kind: 'log',
    });
  });

  test.each([
    ['not_json', '{"message":'],
    ['not_json', ''],
    ['not_json', '\uFEFF{}'],
    ['not_json', '{"message":"a\u0000"}'],
    ['not_an_object', '[]'],
    ['not_an_object', 'null'],
    ['not_an_object', '"text"'],
    ['not_an_object', '7'],
  ])('is dead as %s if its text is %j', (reason, text) => {
    expect(readText(text)).toEqual({
      kind: 'dead',
      reason,
      recordId: null,
      text,
      origin: ORIGIN,
      position: 12,
    });
  });

  test.each([
    ['unknown_kind', { kind: 'log' }],
    ['unknown_kind', { kind: 7 }],
    ['unknown_kind', { kind: '' }],
    ['invalid_plugin_config_id', { plugin_config_id: undefined }],
    ['invalid_plugin_config_id', { plugin_config_id: '42' }],
    ['invalid_plugin_config_id', { plugin_config_id: 0 }],
    ['invalid_plugin_config_id', { plugin_config_id: 1.5 }],
    ['invalid_plugin_config_id', { plugin_config_id: 2 ** 53 }],
    ['invalid_message', { message: undefined }],
    ['invalid_message', { message: null }],
    ['invalid_message', { message: 7 }],
    ['invalid_id', { id: 'abc' }],
    ['invalid_id', { id: 7 }],
    ['invalid_id', { id: `{${RANDOM_ID}}` }],
    ['id_without_time', { id: RANDOM_ID, timestamp: undefined }],
    ['invalid_timestamp', { timestamp: 'yesterday' }],
    ['invalid_timestamp', { timestamp: NOW }],
    ['invalid_timestamp', { timestamp: '2026-03-10' }],
    ['too_far_ahead', { timestamp: '2026-03-11T12:00:00.001Z' }],
    ['too_old', { timestamp: '2026-03-02T23:59:59.999Z' }],
    ['invalid_source', { source: 'plugin' }],
    ['invalid_source', { source: '' }],
    ['invalid_type', { type: `A${'B'.repeat(32)}` }],
    ['invalid_type', { type: 'A B' }],
    ['invalid_instance_id', { instance_id: 'me' }],
    ['invalid_team_id', { team_id: '1' }],
    ['invalid_team_id', { team_id: -1 }],
    ['invalid_plugin_id', { plugin_id: true }],
  ])('is dead as %s with %j', (reason, given) => {
    const message = read({ ...WHOLE, ...given });
    expect(reasonOf(message)).toBe(reason);
    expect(DEAD_REASONS).toContain(reason);
  });

  test('is dead without being parsed if its text is too long', () => {
    const shell = JSON.stringify({ ...WHOLE, message: '' }).length;
    const message = (length: number) => ({ ...WHOLE, message: 'x'.repeat(length - shell) });
    expect(read(message(MESSAGE_TEXT_MAX)).kind).toBe('log');
    expect(reasonOf(read(message(MESSAGE_TEXT_MAX + 1)))).toBe('too_long');
    expect(reasonOf(readText('{'.repeat(MESSAGE_TEXT_MAX + 1)))).toBe('too_long');
  });

  test('is dead if its text is long and has more than 10,000 values', () => {
    const message = (lists: number) =>
      readText(`{"plugin_config_id":1,"message":"","more":${'['.repeat(lists)}${']'.repeat(lists)}}`);
    expect(message(9_000).kind).toBe('log');
    expect(reasonOf(message(10_000))).toBe('too_long');
  });

  test.each(['2026-03-03T00:00:00.000Z', '2026-03-11T12:00:00.000Z'])('may have the time %s', (timestamp) => {
    expect(read({ ...WHOLE, timestamp })).toMatchObject({ timestamp: Date.parse(timestamp) });
  });

  test('has its own time, else that of the stream, else of its id, else of its receipt', () => {
    const streamTime = new Date(NOW - 5000);
    const id = idAt(NOW - 9000);
    const timestamp = '2026-03-10T11:00:00.000Z';
    expect(read({ ...LEAST, id, timestamp }, { streamTime })).toMatchObject({
      timestamp: Date.parse(timestamp),
    });
    expect(read({ ...LEAST, id }, { streamTime })).toMatchObject({ timestamp: NOW - 5000 });
    expect(read({ ...LEAST, id: RANDOM_ID }, { streamTime })).toMatchObject({ timestamp: NOW - 5000 });
    expect(read({ ...LEAST, id })).toMatchObject({ timestamp: NOW - 9000 });
    expect(read(LEAST, { streamTime })).toMatchObject({ timestamp: NOW - 5000 });
  });

  test('is rejected for an invalid time from any source', () => {
    expect(reasonOf(read({ ...LEAST, id: idAt(NOW + 90_000_000) }))).toBe('too_far_ahead');
    expect(reasonOf(read({ ...LEAST, id: idAt(5) }))).toBe('too_old');
    expect(reasonOf(read(LEAST, { streamTime: new Date(0) }))).toBe('too_old');
  });

  test.each([
    ['error', 'ERROR'],
    ['Warning', 'WARN'],
    ['CRITICAL', 'ERROR'],
    ['fatal', 'ERROR'],
    ['notice', 'NOTICE'],
  ])('of the type %s is stored as %s', (type, stored) => {
    expect(read({ ...LEAST, type })).toMatchObject({ type: stored });
  });

  test('has its id in lower case', () => {
    expect(read({ ...WHOLE, id: RANDOM_ID.toUpperCase() })).toMatchObject({ id: RANDOM_ID });
  });

  test('loses characters that no database can store', () => {
    const message = readText('{"plugin_config_id":42,"message":"a\\u0000b\\ud800c 🚀"}');
    expect(message).toMatchObject({ message: 'a\uFFFDb\uFFFDc 🚀' });
  });

  test('is truncated if it is too long, with the number of missing characters', () => {
    const whole = '🚀'.repeat(MESSAGE_MAX);
    expect(read({ ...LEAST, message: whole })).toMatchObject({ message: whole });
    expect(read({ ...LEAST, message: `${whole}abc` })).toMatchObject({
      message: `${whole}… [3 more characters]`,
    });
    const broken = `${'\ud800'.repeat(MESSAGE_MAX)}x`;
    expect(read({ ...LEAST, message: broken })).toMatchObject({
      message: `${'\uFFFD'.repeat(MESSAGE_MAX)}… [1 more characters]`,
    });
  });
});

describe('a delivery', () => {
  test('keeps its values', () => {
    expect(read(DELIVERY)).toEqual({
      kind: 'delivery',
      text: JSON.stringify(DELIVERY),
      origin: ORIGIN,
      id: RANDOM_ID,
      recordId: 42,
      projectId: null,
      plugin: null,
      timestamp: Date.parse('2026-03-10T11:00:00Z'),
      successes: 3,
      successesOnRetry: 0,
      failures: 2_147_483_647,
      failed: [],
    });
  });

  test('keeps what failed, up to 100 references of 200 bytes', () => {
    const failed = Array.from({ length: 100 }, (_, n) => ({
      ref: `${n}`.padEnd(198, 'x') + 'é',
      reason: 'timeout',
    }));
    expect(read({ ...DELIVERY, failed: failed.map((one) => ({ ...one, other: 1 })) })).toMatchObject({
      failed,
    });
    expect(read({ ...DELIVERY, failed: null })).toMatchObject({ failed: [] });
  });

  test('gets its time like an entry', () => {
    const { timestamp: _, ...timeless } = DELIVERY;
    expect(read(timeless, { streamTime: new Date(NOW - 1) })).toMatchObject({ timestamp: NOW - 1 });
    expect(read({ ...timeless, id: idAt(NOW - 2) })).toMatchObject({ timestamp: NOW - 2 });
    expect(reasonOf(read(timeless))).toBe('id_without_time');
  });

  test.each([
    ['invalid_id', { id: undefined }],
    ['invalid_id', { id: 'abc' }],
    ['invalid_plugin_config_id', { plugin_config_id: null }],
    ['invalid_totals', { successes: undefined }],
    ['invalid_totals', { successes_on_retry: '1' }],
    ['invalid_totals', { failures: -1 }],
    ['invalid_totals', { failures: 1.5 }],
    ['invalid_totals', { failures: 2_147_483_648 }],
    ['invalid_failed', { failed: {} }],
    ['invalid_failed', { failed: [null] }],
    ['invalid_failed', { failed: ['a'] }],
    ['invalid_failed', { failed: [{ ref: 'a' }] }],
    ['invalid_failed', { failed: [{ ref: '', reason: 'a' }] }],
    ['invalid_failed', { failed: [{ ref: 'a', reason: '' }] }],
    ['invalid_failed', { failed: [{ ref: 7, reason: 'a' }] }],
    ['invalid_failed', { failed: [{ ref: 'é'.repeat(101), reason: 'a' }] }],
    ['invalid_failed', { failed: [{ ref: 'a', reason: 'x'.repeat(201) }] }],
    ['invalid_failed', { failed: [{ ref: 'a\0', reason: 'a' }] }],
    ['invalid_failed', { failed: [{ ref: 'a\uD800', reason: 'a' }] }],
    ['invalid_failed', { failed: Array.from({ length: 101 }, () => ({ ref: 'a', reason: 'b' })) }],
    ['too_old', { timestamp: '2026-01-01T00:00:00Z' }],
    ['invalid_team_id', { team_id: 0 }],
  ])('is dead as %s with %j', (reason, given) => {
    expect(reasonOf(read({ ...DELIVERY, ...given }))).toBe(reason);
  });
});

describe('an error', () => {
  const report = { kind: 'error', plugin_config_id: 42, error: 'broken' };

  test('has its own time, and its position in the source', () => {
    const error = read({ ...report, timestamp: '2026-03-09T01:02:03.004Z' }, { streamTime: new Date(NOW) });
    expect(error).toMatchObject({ timestamp: Date.parse('2026-03-09T01:02:03.004Z'), position: 12 });
  });

  test('without a time has the time of its receipt, even if that is too old', () => {
    const ago = new Date(0);
    expect(read(report, { receivedAt: ago })).toMatchObject({ timestamp: 0 });
    expect(read(report, { streamTime: ago })).toMatchObject({ timestamp: 0 });
  });

  test.each([
    ['yesterday', 'invalid_timestamp'],
    [7, 'invalid_timestamp'],
    ['2026-03-11T12:00:00.001Z', 'too_far_ahead'],
    ['2026-03-02T23:59:59.999Z', 'too_old'],
  ])('with the time %j is dead, and keeps its position', (timestamp, reason) => {
    expect(read({ ...report, timestamp })).toMatchObject({ kind: 'dead', reason, position: 12 });
  });

  test.each([null, '', 'broken'])('may be %j', (error) => {
    expect(read({ kind: 'error', plugin_config_id: 42, error })).toMatchObject({
      kind: 'error',
      recordId: 42,
      error,
    });
  });

  test.each([{}, { error: 7 }, { error: ['broken'] }])('is dead with %j', (given) => {
    expect(reasonOf(read({ kind: 'error', plugin_config_id: 42, ...given }))).toBe('invalid_error');
  });

  test('is made storable like a message', () => {
    const error = `${'x'.repeat(MESSAGE_MAX)}\0`;
    const kept = `${'x'.repeat(MESSAGE_MAX)}… [1 more characters]`;
    expect(read({ kind: 'error', plugin_config_id: 42, error })).toMatchObject({ error: kept });
  });
});

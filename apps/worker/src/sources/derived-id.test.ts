import { expect, test } from 'vitest';
import { streamMessageId } from './derived-id.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOON = 1_767_268_800_000_000_000n;

test('the id of a stream message is the same on every delivery and contains its time', () => {
  const id = streamMessageId('LOGS', 5n, NOON);
  expect(id).toMatch(UUID_7);
  expect(id).toBe(streamMessageId('LOGS', 5n, NOON));
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Number(NOON / 1_000_000n));
});

test('ids of stream messages are in message order, even within a millisecond', () => {
  const ids = [
    streamMessageId('LOGS', 5n, NOON),
    streamMessageId('LOGS', 6n, NOON),
    streamMessageId('LOGS', 7n, NOON + 500n),
    streamMessageId('LOGS', 8n, NOON + 999_999n),
    streamMessageId('LOGS', 9n, NOON + 1_000_000n),
  ];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('messages of two streams have different ids', () => {
  expect(streamMessageId('A', 5n, NOON)).not.toBe(streamMessageId('B', 5n, NOON));
});

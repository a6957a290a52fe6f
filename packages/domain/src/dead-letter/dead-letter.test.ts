import { expect, test } from 'vitest';
import { newDeadLetter } from './dead-letter.ts';
import {
  deadMessage,
  MESSAGE_TEXT_MAX,
  type EntryMessage,
  type ErrorMessage,
  type Message,
  type MessageOrigin,
} from '../message/message.ts';

const ORIGIN: MessageOrigin = {
  channel: 'http',
  receivedAt: new Date(5),
  streamTime: null,
  projectIds: [3],
  owner: 'project 3',
  deadLetterId: null,
};

const ENTRY: EntryMessage = {
  kind: 'log',
  text: '{}',
  origin: ORIGIN,
  recordId: 1,
  projectId: null,
  plugin: null,
  id: '0197a3f0-1111-7222-8333-944455556666',
  timestamp: 4,
  source: 'PLUGIN',
  type: 'LOG',
  message: '',
  instanceId: '0197a3f0-1111-7222-8333-944455557777',
};

const ERROR: ErrorMessage = {
  kind: 'error',
  text: '{}',
  origin: ORIGIN,
  recordId: 1,
  projectId: null,
  plugin: null,
  timestamp: 5,
  position: 7,
  error: 'broken',
};

function letterOf(text: string) {
  return newDeadLetter(
    deadMessage({ text, origin: ORIGIN, position: 3 }, 'not_json'),
    'not_json',
    'project 3',
  );
}

function identityOf(message: Message): string {
  return newDeadLetter(message, 'not_json', 'project 3').identity;
}

test('the whole text is kept, in a storable form', () => {
  expect(letterOf('a\0🚀')).toMatchObject({ text: 'a\uFFFD🚀', missing: 0 });
});

test('a huge text keeps its beginning and the length of the rest', () => {
  const text = `${'x'.repeat(MESSAGE_TEXT_MAX - 1)}🚀abc`;
  expect(letterOf(text)).toMatchObject({ text: `${'x'.repeat(MESSAGE_TEXT_MAX - 1)}\uFFFD`, missing: 4 });
});

test('it keeps the id of its log entry', () => {
  expect(newDeadLetter(ENTRY, 'no_log', 'project 3').entryId).toBe(ENTRY.id);
  expect(letterOf('x').entryId).toBeNull();
});

test('it keeps the position of an error, or of a message that could not be read', () => {
  expect(newDeadLetter(ERROR, 'unknown_plugin_config', 'project 3').position).toBe(7);
  expect(letterOf('x').position).toBe(3);
});

test('a repeated delivery has the same identity, at another time and for another reason', () => {
  const again: EntryMessage = { ...ENTRY, origin: { ...ORIGIN, receivedAt: new Date(99) } };
  expect(identityOf(again)).toBe(identityOf(ENTRY));
  expect(newDeadLetter(ENTRY, 'no_log', 'project 3').identity).toBe(
    newDeadLetter(ENTRY, 'too_old', 'project 3').identity,
  );
});

test('another text, id, time, error position or origin makes another identity', () => {
  const others: readonly Message[] = [
    ENTRY,
    { ...ENTRY, text: '{ }' },
    { ...ENTRY, id: '0197a3f0-1111-7222-8333-944455556667' },
    { ...ENTRY, timestamp: 5 },
    { ...ENTRY, origin: { ...ORIGIN, channel: 'ndjson' } },
    { ...ENTRY, origin: { ...ORIGIN, streamTime: new Date(5) } },
    { ...ENTRY, origin: { ...ORIGIN, projectIds: [] } },
    deadMessage({ ...ENTRY, position: 1 }, 'not_json'),
    ERROR,
    { ...ERROR, position: 8 },
  ];
  expect(new Set(others.map(identityOf)).size).toBe(others.length);
});

test('the cut part of a huge text belongs to its identity', () => {
  const text = 'x'.repeat(MESSAGE_TEXT_MAX);
  expect(letterOf(`${text}a`).identity).not.toBe(letterOf(`${text}b`).identity);
});

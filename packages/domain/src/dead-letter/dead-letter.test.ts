import { expect, test } from 'vitest';
import { newDeadLetter } from './dead-letter.ts';
import { ENTRY, ERROR, ORIGIN } from '../message/message.fixture.ts';
import { deadMessage, MESSAGE_TEXT_MAX, type Message, type MessageOrigin } from '../message/message.ts';

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

test('the whole text is kept, in storable form', () => {
  expect(letterOf('a\0🚀')).toMatchObject({ text: 'a\uFFFD🚀', missing: 0 });
});

test('only the beginning of a huge text is kept, with the length of the rest', () => {
  const text = `${'x'.repeat(MESSAGE_TEXT_MAX - 1)}🚀abc`;
  expect(letterOf(text)).toMatchObject({ text: `${'x'.repeat(MESSAGE_TEXT_MAX - 1)}\uFFFD`, missing: 4 });
});

test('the id of a log entry is kept', () => {
  expect(newDeadLetter(ENTRY, 'no_log', 'project 3').entryId).toBe(ENTRY.id);
  expect(letterOf('x').entryId).toBeNull();
});

test('the position of an error, or of an unreadable message, is kept', () => {
  expect(newDeadLetter(ERROR, 'unknown_plugin_config', 'project 3').position).toBe(7);
  expect(letterOf('x').position).toBe(3);
});

test('an entry that is sent again has the same identity, even at another time, in another push or with another reason', () => {
  const again = { ...ENTRY, origin: { ...ORIGIN, receivedAt: new Date(99), pushId: 'b' } };
  expect(identityOf(again)).toBe(identityOf(ENTRY));
  expect(newDeadLetter(ENTRY, 'no_log', 'project 3').identity).toBe(
    newDeadLetter(ENTRY, 'too_old', 'project 4').identity,
  );
});

test.each([
  ['an error', ERROR],
  ['a message that could not be read', deadMessage({ ...ERROR, position: 7 }, 'not_json')],
])('%s has the same identity only at the same position of the same push, stream or file', (_, message) => {
  const at = (origin: Partial<MessageOrigin>, position = 7): string =>
    identityOf({ ...message, position, origin: { ...ORIGIN, ...origin } });
  expect(at({ pushId: 'a' })).toBe(at({ pushId: 'a' }));
  const identities = [
    at({}),
    at({}, 8),
    at({ pushId: 'a' }),
    at({ pushId: 'b' }),
    at({ pushId: 'a' }, 8),
    at({ receivedAt: new Date(99) }),
  ];
  expect(new Set(identities).size).toBe(identities.length);
});

test('an entry with a different text, id, time or origin has a different identity', () => {
  const others: readonly Message[] = [
    ENTRY,
    { ...ENTRY, text: '{ }' },
    { ...ENTRY, id: '0197a3f0-1111-7222-8333-944455556667' },
    { ...ENTRY, timestamp: 5 },
    { ...ENTRY, origin: { ...ORIGIN, channel: 'ndjson' } },
    { ...ENTRY, origin: { ...ORIGIN, streamTime: new Date(5) } },
    { ...ENTRY, origin: { ...ORIGIN, projectIds: [3] } },
    { ...ENTRY, origin: { ...ORIGIN, owner: 'account 1' } },
  ];
  expect(new Set(others.map(identityOf)).size).toBe(others.length);
});

test('the truncated part of a huge text counts towards its identity', () => {
  const text = 'x'.repeat(MESSAGE_TEXT_MAX);
  expect(letterOf(`${text}a`).identity).not.toBe(letterOf(`${text}b`).identity);
});

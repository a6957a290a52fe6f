import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventParser, type ServerSentEvent } from './event-parser.ts';

const MAX = 1_000;

test.for([
  ['a named event', 'event: log\ndata: {}\nid: 1\n\n', [['log', '{}', '1']]],
  ['an event without a name', 'data: a\n\n', [['message', 'a', '']]],
  ['several lines of data', 'data: a\ndata: b\ndata\n\n', [['message', 'a\nb\n', '']]],
  ['an event without data', 'event: log\nid: 7\n\n', []],
  [
    'an id that stays',
    'id: 1\ndata: a\n\ndata: b\n\n',
    [
      ['message', 'a', '1'],
      ['message', 'b', '1'],
    ],
  ],
  [
    'an empty id',
    'id: 1\ndata: a\n\nid\ndata: b\n\n',
    [
      ['message', 'a', '1'],
      ['message', 'b', ''],
    ],
  ],
  ['an id with NUL', 'id: a\0b\ndata: a\n\n', [['message', 'a', '']]],
  ['comments', ': hello\n\n:\ndata: a\n\n', [['message', 'a', '']]],
  [
    'one space after the colon',
    'data:a\n\ndata:  b\n\n',
    [
      ['message', 'a', ''],
      ['message', ' b', ''],
    ],
  ],
  ['a value with colons', 'data: a: b\n\n', [['message', 'a: b', '']]],
  ['unknown fields', 'colour: red\nDATA: x\ndata: a\n\n', [['message', 'a', '']]],
  ['an event that is not complete', 'data: a\n\ndata: b\nid: 9\n', [['message', 'a', '']]],
  ['an empty stream', '\n\n\n', []],
] as const)('the parser reads %s', ([, text, expected]) => {
  expect(parse([text]).events.map(({ event, data, id }) => [event, data, id])).toEqual(expected);
});

test('events do not depend on line endings or on where the text is split', () => {
  const lines = [
    'id: 1',
    'event: log',
    'data: größer 🚀',
    'data:',
    '',
    ': x',
    '',
    'data: b',
    'retry: 5',
    '',
    'id: 3',
    '',
    '',
  ];
  const expected = parse([lines.join('\n')]);
  expect(expected.events).toHaveLength(2);
  fc.assert(
    fc.property(
      fc.constantFrom('\n', '\r', '\r\n'),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 100 }),
      (end, cuts) => {
        let text = lines.join(end);
        const pieces = cuts.map((length) => {
          const piece = text.slice(0, length);
          text = text.slice(length);
          return piece;
        });
        expect(parse([...pieces, text])).toEqual(expected);
      },
    ),
  );
});

test('a line that ends with CRLF is one line, even if the text is split in between', () => {
  expect(parse(['data: a\r', '\ndata: b\r', '', '\n\r\n']).events).toMatchObject([{ data: 'a\nb' }]);
});

test('an id takes effect at the end of its event, even if the event has no data', () => {
  expect(parse(['id: 1\n\nid: 2\n']).lastId).toBe('1');
  expect(parse([': nothing\n\n'], '7').lastId).toBe('7');
});

test('a retry time consists of digits only', () => {
  expect(parse(['retry: 1500\n']).retryMs).toBe(1500);
  expect(parse(['retry: 1500\nretry: soon\nretry: -1\nretry\n']).retryMs).toBe(1500);
  expect(parse(['retry: soon\n']).retryMs).toBeUndefined();
});

test('an event that is too long is rejected, whether in one line or in many', () => {
  expect(() => parse(['data: ', 'x'.repeat(MAX + 1)])).toThrow(RangeError);
  expect(() => parse(Array.from({ length: MAX }, () => 'data: xx\n'))).toThrow(RangeError);
  expect(() => parse(Array.from({ length: MAX }, () => `data: ${'x'.repeat(500)}\n\n`))).not.toThrow();
});

function parse(pieces: readonly string[], lastId = '') {
  const parser = eventParser(lastId, MAX);
  const events: ServerSentEvent[] = pieces.flatMap((piece) => parser.read(piece));
  return { events, lastId: parser.lastId, retryMs: parser.retryMs };
}

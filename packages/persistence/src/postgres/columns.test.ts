import { expect, test } from 'vitest';
import { columns, textsAt } from './columns.ts';

const OWNER = columns((row) => ({ id: row.number('o.id'), since: row.dateOrNull('o.since') }));

const ITEM = columns((row) => ({
  name: row.text('t.name'),
  note: row.textOrNull('t.note'),
  tags: row.text(`array_to_string(t.tags, ',')`).split(','),
  owner: row.allOrNull(OWNER),
  isNew: row.flag('t.is_new'),
  at: row.date('t.at'),
  rate: row.numberOrNull('t.rate'),
  more: row.json('t.more'),
}));

const CELLS = ['n', null, 'a,b', '7', null, 't', '2026-01-02 03:04:05.678+00', null, '{"a":1}'];

test('the select list has the columns in the order in which they are read', () => {
  expect(ITEM.sql).toBe(
    `t.name, t.note, array_to_string(t.tags, ','), o.id, o.since, t.is_new, t.at, t.rate, t.more`,
  );
});

test('the same columns can be read at any offset of a row', () => {
  const thing = {
    name: 'n',
    note: null,
    tags: ['a', 'b'],
    owner: { id: 7, since: null },
    isNew: true,
    at: new Date('2026-01-02T03:04:05.678Z'),
    rate: null,
    more: { a: 1 },
  };
  expect(ITEM.read(CELLS)).toEqual(thing);
  expect(ITEM.read(['before', 'it', ...CELLS], 2)).toEqual(thing);
});

test('columns whose first value is null are read as null, and later columns keep their offset', () => {
  const cells = CELLS.with(3, null);
  expect(ITEM.read(cells)).toMatchObject({ owner: null, isNew: true, more: { a: 1 } });
  expect(OWNER.readOrNull([null, null])).toBe(null);
  expect(OWNER.readOrNull(['before', '1', null], 1)).toEqual({ id: 1, since: null });
});

test.each([
  ['{}', []],
  ['{a,b c}', ['a', 'b c']],
  [String.raw`{"a,b","c \"d\" \\","","{}"}`, ['a,b', String.raw`c "d" ${'\\'}`, '', '{}']],
])('the array %s is read as its elements', (text, elements) => {
  expect(textsAt([text], 0)).toEqual(elements);
});

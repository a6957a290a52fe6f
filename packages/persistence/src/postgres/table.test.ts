import { defineEntity, p } from '@mikro-orm/core';
import { expect, test } from 'vitest';
import { columns } from './columns.ts';
import { rowOf, writtenOf } from './table.ts';

const OwnerRow = defineEntity({
  name: 'OwnerRow',
  tableName: 'owner',
  properties: { id: p.bigint('number').primary() },
});

const ThingRow = defineEntity({
  name: 'ThingRow',
  tableName: 'thing',
  properties: {
    id: p.bigint('number').primary(),
    order: p.integer().fieldName('position'),
    isNew: p.boolean(),
    note: p.text().strictNullable(),
    seenAt: p.datetime(3),
    labels: p.json<Readonly<Record<string, string>>>().columnType('jsonb'),
    numbers: p.array<number>().columnType('integer[]'),
    words: p.array(),
    ownerId: p.manyToOne(OwnerRow).mapToPk().joinColumn('owner_id'),
    hidden: p.blob().strictNullable(),
  },
});

const THING = rowOf(ThingRow, 't', ['hidden']);
const CELLS = ['7', '2', 't', null, '2026-01-02 03:04:05.678+00', '{"a":"b"}', '{1,2}', '{a,"b,c",""}', '8'];
const ROW = {
  id: 7,
  order: 2,
  isNew: true,
  note: null,
  seenAt: new Date('2026-01-02T03:04:05.678Z'),
  labels: { a: 'b' },
  numbers: [1, 2],
  words: ['a', 'b,c', ''],
  ownerId: 8,
};

test('the columns of a row are those of its entity, except the excluded ones', () => {
  expect(THING.sql).toBe(
    't.id, t.position, t.is_new, t.note, t.seen_at, t.labels, t.numbers, t.words, t.owner_id',
  );
  expect(THING.read(CELLS)).toEqual(ROW);
  expect(THING.readOrNull(CELLS.with(0, null))).toBe(null);
});

test('a row can be part of a larger selection', () => {
  const part = columns((row) => ({
    count: row.number('count(*)'),
    thing: row.all(THING),
    more: row.text('m'),
  }));
  expect(part.sql).toBe(`count(*), ${THING.sql}, m`);
  expect(part.read(['3', ...CELLS, 'x'])).toEqual({ count: 3, thing: ROW, more: 'x' });
});

test('the columns that a statement writes have names, types, parameters and values in the same order', () => {
  const written = writtenOf(ThingRow, ['id', 'hidden', 'numbers', 'words', 'labels']);
  expect(written.names).toBe('position, is_new, note, seen_at, owner_id');
  expect(written.types).toEqual({
    position: 'integer',
    is_new: 'boolean',
    note: 'text',
    seen_at: 'timestamptz',
    owner_id: 'bigint',
  });
  expect(written.parameters(3)).toBe('$3, $4, $5, $6, $7');
  expect(written.assignments(3)).toBe('position = $3, is_new = $4, note = $5, seen_at = $6, owner_id = $7');
  expect(written.values(ROW)).toEqual([2, true, null, '2026-01-02T03:04:05.678Z', 8]);
  expect(written.unnest(3)).toBe(
    'unnest($3::integer[], $4::boolean[], $5::text[], $6::timestamptz[], $7::bigint[])',
  );
  expect(written.arrays([ROW, { ...ROW, note: 'n' }])).toEqual([
    [2, 2],
    [true, true],
    [null, 'n'],
    ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05.678Z'],
    [8, 8],
  ]);
});

test('a relation cannot be read as a column', () => {
  const PartRow = defineEntity({
    name: 'PartRow',
    tableName: 'part',
    properties: { thing: p.manyToOne(ThingRow) },
  });
  expect(() => rowOf(PartRow, 'p')).toThrow('The column thing has a type that cannot be read.');
});

import * as z from 'zod';
import { expect, test } from 'vitest';
import { natural } from './integer.ts';
import { json } from './json.ts';
import { moment } from './moment.ts';
import { presenter } from './presenter.ts';

const AT = new Date('2026-03-01T09:30:00.250Z');
const TEXT = '2026-03-01T09:30:00.250Z';

const schema = z.object({
  id: natural(),
  record: natural().nullable(),
  created_at: moment.meta({ description: 'When it was created.' }),
  closed_at: moment.nullable(),
  day: z.iso.date(),
  actor: z.object({ key_id: natural().nullable() }),
  last_change: z.object({ changed_at: moment }).nullable(),
  results: z.array(z.object({ opened_at: moment, tags: z.array(z.string()) })),
  more: natural().optional(),
  before: json,
});

const present = presenter(schema, {
  record: ({ recordId }: { readonly recordId: number | null }) => recordId,
  created_at: ({ at }: { readonly at: Date }) => at,
});

test('names become snake case, dates texts, and odd fields come from where they are', () => {
  const before = { keptAsIs: [AT.getTime()] };
  const value = {
    id: 1,
    recordId: 2,
    at: AT,
    closedAt: null,
    day: AT,
    actor: { keyId: null },
    lastChange: { changedAt: AT },
    results: [{ openedAt: AT, tags: ['a'] }],
    before,
    secret: 'is not in the schema',
  };
  const presented = present(value);
  expect(presented).toEqual({
    id: 1,
    record: 2,
    created_at: TEXT,
    closed_at: null,
    day: '2026-03-01',
    actor: { key_id: null },
    last_change: { changed_at: TEXT },
    results: [{ opened_at: TEXT, tags: ['a'] }],
    more: undefined,
    before,
  });
  expect(Object.keys(JSON.parse(JSON.stringify(presented)))).toEqual(
    Object.keys(schema.shape).filter((name) => name !== 'more'),
  );
  expect(present({ ...value, closedAt: AT, lastChange: null, more: 3 })).toMatchObject({
    closed_at: TEXT,
    last_change: null,
    more: 3,
  });
});

test('a value that lacks a field of the schema does not compile', () => {
  const count = presenter(z.object({ start_at: moment, count: natural() }));
  expect(count({ startAt: AT, count: 1 })).toEqual({ start_at: TEXT, count: 1 });
  // @ts-expect-error The count is missing.
  expect(count({ startAt: AT })).toEqual({ start_at: TEXT });
  // @ts-expect-error The time is a text already.
  expect(() => count({ startAt: TEXT, count: 1 })).toThrow(TypeError);
  // @ts-expect-error An odd field must be the field's value.
  presenter(z.object({ start_at: moment }), { start_at: ({ at }: { readonly at: number }) => at });
});

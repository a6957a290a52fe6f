import { expect, test } from 'vitest';
import { parseTimestamp } from './timestamp.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

const MOMENTS = [
  '1970-01-01T00:00:00.000Z',
  '1999-12-31T23:59:59.999Z',
  '2024-02-29T12:00:00.100Z',
  '2026-01-02T03:04:05.678Z',
  '2026-10-11T10:11:12.010Z',
  '9999-12-31T23:59:59.001Z',
];

test('a timestamp from the database is parsed to the same time', () =>
  withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ at: string }>(`select unnest($1::timestamptz(3)[])::text as at`, [
      MOMENTS,
    ]);
    expect(rows.map(({ at }) => new Date(parseTimestamp(at)).toISOString())).toEqual(MOMENTS);
  }));

test.each([
  ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
  ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
  ['2026-01-02 03:04:05.678901+00', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 05:34:05.678+02:30', '2026-01-02T03:04:05.678Z'],
  ['2026-01-02 01:04:05.678-02', '2026-01-02T03:04:05.678Z'],
])('%s is %s', (text, moment) => {
  expect(new Date(parseTimestamp(text)).toISOString()).toBe(moment);
});

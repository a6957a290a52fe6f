import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logAddressOf, logFilterOf, logQueryOf } from './log-address.ts';

const FIRST = Date.parse('2000-01-01T00:00:00Z');
const YEARS = 30 * 365 * 86_400_000;
const moment = fc.integer({ min: 0, max: YEARS }).map((ms) => new Date(FIRST + ms).toISOString());
const text = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme' }));
const address = fc.record({
  types: fc.array(fc.stringMatching(/^[A-Z][A-Z0-9_]{0,5}$/)),
  source: text,
  instance: text,
  from: fc.oneof(fc.constant(''), moment),
  to: fc.oneof(fc.constant(''), moment),
  search: text,
  around: fc.oneof(fc.constant(''), moment),
  entry: fc.option(fc.record({ id: fc.uuid(), timestamp: fc.oneof(fc.constant(''), moment) })),
});

test('an address holds everything that the screen shows', () => {
  fc.assert(
    fc.property(address, (given) => {
      expect(logAddressOf(logQueryOf(given))).toEqual(given);
    }),
  );
});

for (const [query, filter] of [
  ['', {}],
  ['?type=&search=', {}],
  ['?type=WARN&type=ERROR', { type_filter: ['WARN', 'ERROR'] }],
  ['?source=PLUGIN&instance=i&search=a%20b', { source: 'PLUGIN', instance_id: 'i', search: 'a b' }],
  // `after` is exclusive in the API; `from` is inclusive on the screen.
  ['?from=2026-03-01T00:00:00.000Z', { after: '2026-02-28T23:59:59.999Z' }],
  ['?to=2026-03-01T00:00:00.000Z', { before: '2026-03-01T00:00:00.000Z' }],
  // The service rejects it with an explanation.
  ['?from=yesterday', { after: 'yesterday' }],
  ['?entry=e&at=2026-03-01T00:00:00.000Z', {}],
  ['?around=2026-03-01T00:00:00.000Z', {}],
  ['?around=yesterday', {}],
] as const) {
  test(`"${query}" requests ${JSON.stringify(filter)}`, () => {
    expect(logFilterOf(logAddressOf(query))).toEqual(filter);
  });
}

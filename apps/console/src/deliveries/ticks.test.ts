import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeOf, slotsOf, SPANS, type SpanName } from './slots.ts';
import { ticksOf, type Tick } from './ticks.ts';

const now = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
/** No changes, a half-hour offset, a repeated or skipped midnight, and a half-hour change. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/Havana', 'Australia/Lord_Howe'];

function ticksAt(name: SpanName, at: number, zone: string): readonly Tick[] {
  const span = SPANS[name];
  return ticksOf(slotsOf([], span, rangeOf(span, at).from), span, zone);
}

for (const [name, fewest, most, form] of [
  ['24h', 3, 4, /^(00|01|06|12|18):\d\d$/],
  ['7d', 6, 7, /^[A-Z][a-z]{2}$/],
  ['30d', 4, 4, /^[A-Z][a-z]{2} \d{1,2}$/],
] as const satisfies readonly (readonly [SpanName, number, number, RegExp])[]) {
  test(`the chart of ${name} has ${fewest} to ${most} labels that do not touch`, () => {
    fc.assert(
      fc.property(now, fc.constantFrom(...ZONES), (at, zone) => {
        const ticks = ticksAt(name, at, zone);
        expect(ticks.length).toBeGreaterThanOrEqual(fewest);
        expect(ticks.length).toBeLessThanOrEqual(most);
        for (const [index, { at: place, text }] of ticks.entries()) {
          expect(text).toMatch(form);
          expect(place - (ticks[index - 1]?.at ?? -1)).toBeGreaterThan(0.12);
        }
      }),
    );
  });
}

test('a repeated hour has one label, and a skipped midnight is labelled by the next hour', () => {
  const textsAt = (at: number) => ticksAt('24h', at, 'America/Havana').map(({ text }) => text);
  expect(textsAt(Date.UTC(2026, 10, 1, 20))).toEqual(['18:00', '00:00', '06:00', '12:00']);
  expect(textsAt(Date.UTC(2026, 2, 8, 20))).toEqual(['18:00', '01:00', '06:00', '12:00']);
});

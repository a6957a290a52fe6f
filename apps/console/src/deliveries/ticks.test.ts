import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rangeOf, slotsOf, SPANS, type SpanName } from './slots.ts';
import { ticksOf } from './ticks.ts';

const now = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });

for (const [name, fewest, most, form] of [
  ['24h', 3, 4, /^(00|06|12|18):\d\d$/],
  ['7d', 6, 7, /^[A-Z][a-z]{2}$/],
  ['30d', 4, 4, /^[A-Z][a-z]{2} \d{1,2}$/],
] as const satisfies readonly (readonly [SpanName, number, number, RegExp])[]) {
  test(`the chart of ${name} has ${fewest} to ${most} times below it, which do not touch`, () => {
    fc.assert(
      fc.property(now, (at) => {
        const span = SPANS[name];
        const ticks = ticksOf(slotsOf([], span, rangeOf(span, at).from), span);
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

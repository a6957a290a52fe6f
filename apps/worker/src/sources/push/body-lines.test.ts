import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyLines } from './body-lines.ts';

const anyText = fc
  .array(
    fc.constantFrom('\n', '\n\n\n', ' ', '\t\r\n', '\v\f', '\u{a0}\n', '\0', '{}', 'é', '🚀', ' x\n', 'y\n'),
  )
  .map((parts) => parts.join(''));

test('reads the non-blank lines a few at a time, no matter how the body is split into blocks', () => {
  const cuts = fc.array(fc.nat(64));
  const most = fc.record({ lines: fc.integer({ min: 1, max: 4 }), bytes: fc.integer({ min: 1, max: 16 }) });
  fc.assert(
    fc.property(anyText, cuts, most, (text, at, limits) => {
      const bytes = Buffer.from(text);
      const places = [0, ...at.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted(
        (a, b) => a - b,
      );
      const body = bodyLines(places.slice(1).map((end, i) => bytes.subarray(places[i], end)));
      const found: string[] = [];
      let read = 0;
      while (!body.isRead) {
        const turn = body.read(limits);
        expect(turn.bytes).toBeLessThanOrEqual(limits.bytes);
        expect(turn.lines.length).toBeLessThanOrEqual(limits.lines + 1);
        found.push(...turn.lines);
        read += turn.bytes;
      }
      expect(found).toEqual(text.split('\n').filter((line) => line.trim() !== ''));
      expect(read).toBe(bytes.length);
    }),
    { seed: 20_260_101, numRuns: 1000 },
  );
});

test('an empty body has no lines', () => {
  expect(bodyLines([]).isRead).toBe(true);
});

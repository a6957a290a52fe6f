import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints, isStorable } from '../kernel/text.ts';
import { storableText } from './storable-text.ts';

const anything = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});

test('any text becomes storable, and is truncated if it is too long', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 20 }), (text, max) => {
      const stored = storableText(text, max);
      const missing = codePoints(text) - max;
      expect(isStorable(stored)).toBe(true);
      const kept = [...text.toWellFormed().replaceAll('\0', '\uFFFD')].slice(0, max).join('');
      expect(stored).toBe(missing > 0 ? `${kept}… [${missing} more characters]` : kept);
    }),
  );
});

test('a storable text is unchanged', () => {
  expect(storableText('é 🚀 \n')).toBe('é 🚀 \n');
});

import { expect, test } from 'vitest';
import { rateText } from './rate-text.ts';

for (const [rate, text] of [
  [null, '–'],
  ['0.0000', '0%'],
  ['0.9873', '98.7%'],
  ['0.9999', '99.9%'],
  ['1.0000', '100%'],
] as const) {
  test(`the rate ${rate} is shown as ${text}`, () => {
    expect(rateText(rate)).toBe(text);
  });
}

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InexactNumber, parseExactly } from './exact-json.ts';
import { keepsItsValue } from './exact-number.ts';

const KEPT = [
  '0',
  '-0',
  '0.1',
  '1.0',
  '1e2',
  '1E+2',
  '9007199254740991',
  '1e300',
  '5e-324',
  '0e999',
  '100000000000000000000',
];
const CHANGED = [
  '9007199254740993',
  '0.1000000000000000055511151231257827',
  '1e400',
  '-1e400',
  '1e-400',
  '4e-324',
];

test.each(KEPT)('%s keeps its value', (source) => {
  expect([keepsItsValue(source), parseExactly(`{"a": ${source}}`)]).toEqual([true, { a: Number(source) }]);
});

test.each(CHANGED)('%s would lose precision', (source) => {
  expect(parseExactly(`{"a":[${source}]}`)).toEqual({ a: [new InexactNumber(source)] });
});

test.each(['abc', '', 'NaN', 'Infinity', '0x0', '1_000'])('%j is not a number', (text) => {
  expect(keepsItsValue(text)).toBe(false);
});

const digits = (least: number, most: number) =>
  fc.stringMatching(new RegExp(`^(0|[1-9][0-9]{${least},${most}})$`));
const decimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(0, 24),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,24}$/)),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: -340, max: 340 }).map((power) => `e${power}`),
    ),
  )
  .map((parts) => parts.join(''));

test('a number is kept if it equals the decimal sent, and otherwise keeps its digits', () => {
  fc.assert(
    fc.property(decimal, (source) => {
      const [value] = parseExactly(`[${source}]`) as readonly [unknown];
      const isKept = isSame(source, JSON.stringify(Number(source)));
      expect(value).toEqual(isKept ? Number(source) : new InexactNumber(source));
    }),
    { numRuns: 2_000 },
  );
});

test('digits inside a string are not a number', () => {
  const value = { a: ' 9007199254740993', '9007199254740993': ': 1e400', b: [', 1e400'] };
  expect(parseExactly(JSON.stringify(value))).toEqual(value);
});

/** Compares as fractions of integers, unlike the code under test. */
function isSame(one: string, other: string): boolean {
  if (other === 'null') return false;
  const [a, b] = [fractionOf(one), fractionOf(other)];
  return a.over * b.under === b.over * a.under;
}

function fractionOf(text: string): { readonly over: bigint; readonly under: bigint } {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = BigInt(power) - BigInt(fraction.length);
  const over = BigInt(whole.replace('-', '') + fraction) * (whole.startsWith('-') ? -1n : 1n);
  return shift >= 0n ? { over: over * 10n ** shift, under: 1n } : { over, under: 10n ** -shift };
}

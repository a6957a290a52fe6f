import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyBlocks } from './body-blocks.ts';

const anyBody = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 70_000 })));

test('a body in pieces of any size is complete, and its reservation is exact', () => {
  fc.assert(
    fc.property(anyBody, (sizes) => {
      let reserved = 0;
      const blocks = bodyBlocks((bytes) => (reserved += bytes));
      const pieces = sizes.map((size, i) => Buffer.alloc(size, i));
      pieces.forEach((piece) => blocks.add(piece));
      const whole = Buffer.concat(pieces);
      const body = blocks.end();
      expect(Buffer.concat(body).equals(whole)).toBe(true);
      expect(body.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)).toBeLessThanOrEqual(reserved);
    }),
    { numRuns: 50, seed: 20_260_101 },
  );
});

test('pieces of one byte cost little more than their bytes', () => {
  let reserved = 0;
  const blocks = bodyBlocks((bytes) => (reserved += bytes));
  const piece = Buffer.from('x');
  for (let i = 0; i < 1_000_000; i++) blocks.add(piece);
  expect(blocks.end().length).toBeLessThan(20);
  expect(reserved).toBeLessThan(1_100_000);
});

test('memory is not used unless it is granted', () => {
  const blocks = bodyBlocks(() => {
    throw new Error('none left');
  });
  expect(() => blocks.add(Buffer.from('x'))).toThrow('none left');
  expect(blocks.end()).toEqual([]);
});

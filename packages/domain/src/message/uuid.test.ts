import { expect, test } from 'vitest';
import { canonicalUuid, timeOfUuid } from './uuid.ts';

const ID = '0195a0b1-c2d3-7e4f-8a6b-7c8d9e0f1a2b';

test('a canonical UUID is in lower case', () => {
  expect(canonicalUuid(ID)).toBe(ID);
  expect(canonicalUuid(ID.toUpperCase())).toBe(ID);
  for (const text of ['', ID.slice(1), `${ID}0`, ID.replaceAll('-', ''), ID.replace('c', 'g'), `${ID}\n`]) {
    expect(canonicalUuid(text)).toBeNull();
  }
});

test('only version 7 contains a time', () => {
  expect(timeOfUuid(ID)).toBe(0x0195a0b1c2d3);
  expect(timeOfUuid(ID.replace('-7e4f-', '-4e4f-'))).toBeNull();
});

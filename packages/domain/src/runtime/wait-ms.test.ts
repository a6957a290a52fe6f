import { expect, test } from 'vitest';
import { waitMs } from './wait-ms.ts';

const ofByte = (byte: number) => ({ bytes: () => Uint8Array.of(byte) });

test('a wait takes 0.9 to 1.0 of the time', () => {
  expect([0, 51, 255].map((byte) => waitMs(50, ofByte(byte)))).toEqual([50_000, 49_000, 45_000]);
});

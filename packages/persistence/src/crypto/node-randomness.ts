import { randomBytes } from 'node:crypto';
import type { Randomness } from '@plugin-config/domain';

export function nodeRandomness(): Randomness {
  return { bytes: (length) => randomBytes(length), uuid: () => uuidAt(Date.now()) };
}

/** Makes a version 7 UUID: 48 bits of time, then randomness. */
function uuidAt(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

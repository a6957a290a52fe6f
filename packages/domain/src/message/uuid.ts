const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const VERSION_AT = 14;
const HEX = 16;

/** Returns the UUID in lower case, or null if the text is not a UUID. */
export function canonicalUuid(text: string): string | null {
  if (CANONICAL.test(text)) return text;
  const lower = text.toLowerCase();
  return CANONICAL.test(lower) ? lower : null;
}

/** Returns the time of a version 7 UUID, in milliseconds since 1970; null for other versions. */
export function timeOfUuid(uuid: string): number | null {
  if (uuid[VERSION_AT] !== '7') return null;
  return Number.parseInt(uuid.slice(0, 8), HEX) * 0x1_0000 + Number.parseInt(uuid.slice(9, 13), HEX);
}

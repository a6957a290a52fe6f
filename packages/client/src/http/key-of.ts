/**
 * The key without white space around it, such as the line break of a file. One with other characters could be sent in no
 * header, and an error would show it.
 */
export function keyOf(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed;
  throw new TypeError('The key has a character that no key has, such as a space, a line break or "…".');
}

/** The key of a client. One with other characters could be sent in no header, and an error would show it. */
export function keyOf(key: string): string {
  if (/^[\x21-\x7e]*$/.test(key)) return key;
  throw new TypeError('The key has a character that no key has, such as a space, a line break or "…".');
}

/** Returns the URL of a service without trailing slashes. */
export function normaliseUrl(url: string): string {
  if (/^https?:\/\//i.test(url)) return url.replace(/\/+$/, '');
  throw new TypeError(`The url must begin with http:// or https://: ${JSON.stringify(url)}`);
}

/**
 * Returns the key without surrounding white space, such as the line break of a file. Throws if it contains other characters, because
 * `fetch` would reject the header with an error that shows the key.
 */
export function normaliseKey(key: string): string {
  const trimmed = key.trim();
  if (/^[\x21-\x7e]*$/.test(trimmed)) return trimmed;
  throw new TypeError('The key contains an invalid character, such as a space, a line break or "…".');
}

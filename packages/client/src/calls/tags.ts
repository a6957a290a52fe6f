const HEADERS = new WeakMap<object, Headers>();

/** Returns the response headers of a record, page or job. Copies have none. */
export function headersOf(result: object): Headers | undefined {
  return HEADERS.get(result);
}

export function rememberHeaders(result: object, headers: Headers): void {
  HEADERS.set(result, headers);
}

/** Returns the tag of a record or page. Copies and records from listings have none. */
export function tagOf(result: object): string | undefined {
  return HEADERS.get(result)?.get('etag') ?? undefined;
}

/** Returns the family version of a page of records, for `changed_since`, or of a retrieved record. */
export function familyVersionOf(result: object): string | undefined {
  return HEADERS.get(result)?.get('x-family-version') ?? undefined;
}

export function requireTag(tagged: string | object): string {
  const tag = typeof tagged === 'string' ? tagged : tagOf(tagged);
  if (tag !== undefined) return tag;
  throw new TypeError('This object has no tag. Pass a tag, or a record or page as returned by a method.');
}

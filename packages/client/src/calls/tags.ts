const HEADERS = new WeakMap<object, Headers>();

/** The headers that a record, page or job was answered with. A copy of it has none. */
export function headersOf(answer: object): Headers | undefined {
  return HEADERS.get(answer);
}

export function rememberHeaders(answer: object, headers: Headers): void {
  HEADERS.set(answer, headers);
}

/** The tag of a record or page, to be kept beside it. A copy, or a record of a list, has none. */
export function tagOf(answer: object): string | undefined {
  return HEADERS.get(answer)?.get('etag') ?? undefined;
}

/** The version of the family that a page of its list is up to date with, for `changed_since`. */
export function familyVersionOf(page: object): string | undefined {
  return HEADERS.get(page)?.get('x-family-version') ?? undefined;
}

export function requireTag(tagged: string | object): string {
  const tag = typeof tagged === 'string' ? tagged : tagOf(tagged);
  if (tag !== undefined) return tag;
  throw new TypeError('This object has no tag. Pass a tag, or a record or page as a call answered it.');
}

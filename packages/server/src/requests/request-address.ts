const AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;

/** The path of a request target, not decoded. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(AUTHORITY, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** The query of a request target, without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Returns the value of a cookie; null if there is none, or several: a sibling domain may have set one of them. */
export function cookieOf(header: string, name: string): string | null {
  const values = [...header.matchAll(new RegExp(String.raw`(?:^|;)\s*${name}=([^;]*)`, 'g'))];
  return values.length === 1 ? (values[0]?.[1]?.trim() ?? null) : null;
}

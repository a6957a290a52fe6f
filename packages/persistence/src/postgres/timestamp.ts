const ZERO = 48;
const DASH = 45;
const FRACTION = '2026-01-02 03:04:05.'.length;

/**
 * Parses a `timestamptz` in the format of a session in UTC (`2026-01-02 03:04:05.678+00`) to milliseconds since 1970. Several
 * times faster than `Date.parse`, which is only used for other formats.
 */
export function parseTimestamp(text: string): number {
  if (text.charCodeAt(4) !== DASH || !text.endsWith('+00')) return parseOther(text);
  const year = two(text, 0) * 100 + two(text, 2);
  const [month, day, hour, minute, second] = [
    two(text, 5),
    two(text, 8),
    two(text, 11),
    two(text, 14),
    two(text, 17),
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second) + milliseconds(text);
}

function two(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

/** Reads the fraction. PostgreSQL omits trailing zeros; digits beyond milliseconds are cut off. */
function milliseconds(text: string): number {
  let total = 0;
  let unit = 100;
  for (let at = FRACTION; at < text.length - 3 && unit >= 1; at++) {
    total += (text.charCodeAt(at) - ZERO) * unit;
    unit /= 10;
  }
  return total;
}

function parseOther(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
}

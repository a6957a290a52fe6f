const FORM = /^-?(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[-+]?\d+))?$/;

/** Whether a text is a number that survives a round trip through a JavaScript number. */
export function keepsItsValue(source: string): boolean {
  const value = Number(source);
  const printed = String(value);
  if (printed === source) return Number.isFinite(value);
  const written = decimalOf(source);
  return written !== null && written === decimalOf(printed);
}

/**
 * Returns a canonical form: the significant digits and the exponent of the last one; null if it is no number. The sign
 * is never lost, so it is left out.
 */
function decimalOf(number: string): string | null {
  const groups = FORM.exec(number)?.groups;
  if (groups === undefined) return null;
  const { whole = '', fraction = '', exponent = '0' } = groups;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  return digits.slice(0, end);
}

const FORM = /^-?(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[-+]?\d+))?$/;

/** Whether a text is a number that keeps its value when parsed. */
export function keepsItsValue(source: string): boolean {
  const written = decimalOf(source);
  return written !== null && written === decimalOf(String(Number(source)));
}

/** A canonical form: the digits without leading and trailing zeros, and the power of ten of the last digit. */
function decimalOf(number: string): string | null {
  const groups = FORM.exec(number)?.groups;
  if (groups === undefined) return null;
  const { whole = '', fraction = '', exponent = '0' } = groups;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/**
 * Parses JSON.
 * @throws SyntaxError if the text is not valid JSON, or a number would lose digits
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined && !keepsItsValue(context.source)) {
      throw new SyntaxError(
        `the number ${context.source} has too many digits; write it as a string, in quotes`,
      );
    }
    return value;
  });
}

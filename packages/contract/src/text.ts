import * as z from 'zod';

/** Text of so many Unicode code points at the most, that a database can hold. */
export function text(max: number): z.ZodString {
  return z
    .string()
    .check((ctx) => {
      const { value } = ctx;
      if (!value.isWellFormed() || value.includes('\0')) {
        ctx.issues.push({
          code: 'custom',
          message: 'Null characters and lone surrogates are not allowed.',
          input: value,
        });
      } else if (value.length > max && isLongerThan(value, max)) {
        ctx.issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
      }
    })
    .meta({ maxLength: max });
}

/** Text of one code point at the least. */
export function filledText(max: number): z.ZodString {
  return text(max).min(1);
}

/** A code point is one or two units: what is more than twice as long need not be counted. */
function isLongerThan(value: string, max: number): boolean {
  return value.length > 2 * max || [...value].length > max;
}

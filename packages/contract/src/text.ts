import * as z from 'zod';

/** Text without null characters, as a pattern for the OpenAPI document. */
export const STORABLE = String.raw`^[^\u0000]*$`;

/** Text of at most `max` code points that PostgreSQL can store. */
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
    .meta({ maxLength: max, pattern: STORABLE });
}

export function filledText(max: number): z.ZodString {
  return text(max).min(1);
}

/** A code point takes one or two UTF-16 units, so a text of more than `2 * max` units need not be counted. */
function isLongerThan(value: string, max: number): boolean {
  return value.length > 2 * max || [...value].length > max;
}

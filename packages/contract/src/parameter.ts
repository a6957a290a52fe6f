import * as z from 'zod';
import { integer } from './integer.ts';

interface ParameterReader {
  /** Returns the value of the text, or undefined if the text is invalid. */
  readonly read: (text: string) => unknown;
  readonly expected: string;
}

/** Returns the schema of a query parameter with a single value. An empty text counts as absent. */
export function parameter<S extends z.ZodType>(
  schema: S,
  { read, expected }: ParameterReader,
): z.ZodPreprocess<S> {
  return z.preprocess((sent, ctx) => {
    if (sent === undefined || sent === '') return undefined;
    const value = typeof sent === 'string' ? read(sent) : undefined;
    if (value !== undefined) return value;
    ctx.addIssue(typeof sent === 'string' ? expected : 'This parameter takes a single value.');
    return z.NEVER;
  }, schema);
}

const VALUES_MAX = 1000;

/** Returns the schema of a query parameter that may be given more than once. */
export function repeatedParameter<S extends z.ZodType>(schema: S, expected: string, max = VALUES_MAX) {
  return z
    .preprocess((sent, ctx) => {
      const values = [sent ?? []].flat().filter((value) => value !== '');
      if (!values.every((value) => schema.safeParse(value).success)) ctx.addIssue(expected);
      else if (values.length > max) ctx.addIssue(`At most ${max} values are accepted.`);
      return values;
    }, z.array(schema).default([]))
    .meta({ maxItems: max });
}

/** Returns a schema that parses an absent value as null. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.optional().transform((value): z.output<S> | null => value ?? null);
}

const DIGITS = /^\d+$/;

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Larger values, up to `max`, count as this one. */
  readonly cap?: number;
}

/** Reads an integer within bounds. */
export function digits({ min, max, cap = max }: Bounds): ParameterReader {
  return {
    read: (text) => {
      const value = DIGITS.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? Math.min(value, cap) : undefined;
    },
    expected: `A valid integer from ${min} to ${cap} is required.`,
  };
}

export const RAW_TEXT: ParameterReader = { read: (text) => text, expected: '' };

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** Case-insensitive: some clients write True. */
export const TRUE_OR_FALSE: ParameterReader = {
  read: (text) => BOOLEANS.get(text.toLowerCase()),
  expected: 'A valid boolean is required: true or false.',
};

export const ID = { min: 1, max: Number.MAX_SAFE_INTEGER };

export const idParameter = parameter(orNull(integer(ID)), digits(ID));

import * as z from 'zod';
import { integer } from './integer.ts';

interface ParameterReader {
  /** Returns the value of the text, or undefined if the text is not valid. */
  readonly read: (text: string) => unknown;
  readonly expected: string;
}

/** A query parameter that takes one value. An empty text counts as absent. */
export function parameter<S extends z.ZodType>(
  schema: S,
  { read, expected }: ParameterReader,
): z.ZodPreprocess<S> {
  return z.preprocess((sent, ctx) => {
    if (sent === undefined || sent === '') return undefined;
    const value = typeof sent === 'string' ? read(sent) : undefined;
    if (value !== undefined) return value;
    ctx.addIssue(typeof sent === 'string' ? expected : 'This parameter takes one value; give it once.');
    return z.NEVER;
  }, schema);
}

/** Makes an absent value null. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.optional().transform((value): z.output<S> | null => value ?? null);
}

const DIGITS = /^\d+$/;

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Larger values count as this one. */
  readonly cap?: number;
}

export function digits({ min, max, cap = max }: Bounds): ParameterReader {
  return {
    read: (text) => {
      const value = DIGITS.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? Math.min(value, cap) : undefined;
    },
    expected: `A valid integer from ${min} to ${cap} is required.`,
  };
}

export const AS_IT_IS: ParameterReader = { read: (text) => text, expected: '' };

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

/** The id of a row of a store; null if it is absent. */
export const idParameter = parameter(orNull(integer(ID)), digits(ID));

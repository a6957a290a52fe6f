import * as z from 'zod';

interface Reading {
  /** What the text stands for; undefined where it stands for nothing. */
  readonly read: (text: string) => unknown;
  readonly expected: string;
}

/** A parameter of a query that takes one value. Empty counts as not given. */
export function parameter<S extends z.ZodType>(schema: S, { read, expected }: Reading): z.ZodPreprocess<S> {
  return z.preprocess((given, ctx) => {
    if (given === undefined || given === '') return undefined;
    const value = typeof given === 'string' ? read(given) : undefined;
    if (value !== undefined) return value;
    ctx.addIssue(typeof given === 'string' ? expected : 'This parameter takes one value; give it once.');
    return z.NEVER;
  }, schema);
}

/** Null where it is not given. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.optional().transform((value): z.output<S> | null => value ?? null);
}

const DIGITS = /^\d+$/;

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** What any more counts as. */
  readonly cap?: number;
}

export function digits({ min, max, cap = max }: Bounds): Reading {
  return {
    read: (text) => {
      const value = DIGITS.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? Math.min(value, cap) : undefined;
    },
    expected: `A valid integer from ${min} to ${cap} is required.`,
  };
}

export const AS_IT_IS: Reading = { read: (text) => text, expected: '' };

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/** In any case: some clients write True. */
export const TRUE_OR_FALSE: Reading = {
  read: (text) => BOOLEANS.get(text.toLowerCase()),
  expected: 'A valid boolean is required: true or false.',
};

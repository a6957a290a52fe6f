import * as z from 'zod';
import { absenceDetail } from './wire-detail.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A strict integer: rejects "5" and 5.5. */
export function integer(bounds: Bounds): z.ZodInt {
  return z
    .int({ error: errorOf(bounds, 'A valid integer is required.') })
    .min(bounds.min)
    .max(bounds.max);
}

/** A strict number: rejects "5". */
export function number(bounds: Bounds): z.ZodNumber {
  return z
    .number({ error: errorOf(bounds, 'A valid number is required.') })
    .min(bounds.min)
    .max(bounds.max);
}

function errorOf({ min, max }: Bounds, expected: string) {
  return (issue: z.core.$ZodRawIssue): string => {
    if (issue.code === 'too_big') return `Ensure this value is less than or equal to ${max}.`;
    if (issue.code === 'too_small') return `Ensure this value is greater than or equal to ${min}.`;
    return absenceDetail(issue) ?? expected;
  };
}

/** A non-negative integer that the service assigns, such as an id, a count or a version. */
export function natural(): z.ZodInt {
  return integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
}

/** An object with a number for each of these names. */
export function counts<Name extends string>(names: readonly Name[]) {
  return z.object(Object.fromEntries(names.map((name) => [name, natural()])) as Record<Name, z.ZodInt>);
}

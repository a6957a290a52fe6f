import * as z from 'zod';
import { absence } from './wire-detail.ts';

export const INTEGER_MAX = 2_147_483_647;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A strict integer: neither "5" nor 5.5 will do. */
export function integer({ min, max }: Bounds): z.ZodInt {
  const error = (issue: z.core.$ZodRawIssue): string => {
    if (issue.code === 'too_big') return `Ensure this value is less than or equal to ${max}.`;
    if (issue.code === 'too_small') return `Ensure this value is greater than or equal to ${min}.`;
    return absence(issue) ?? 'A valid integer is required.';
  };
  return z.int({ error }).min(min).max(max);
}

/** What the service itself gives out: ids, counts, versions. */
export function natural(): z.ZodInt {
  return integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
}

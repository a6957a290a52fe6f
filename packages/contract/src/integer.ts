import * as z from 'zod';
import { absenceDetail } from './wire-detail.ts';

export const INTEGER_MAX = 2_147_483_647;

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** A strict integer: rejects "5" and 5.5. */
export function integer({ min, max }: Bounds): z.ZodInt {
  const error = (issue: z.core.$ZodRawIssue): string => {
    if (issue.code === 'too_big') return `Ensure this value is less than or equal to ${max}.`;
    if (issue.code === 'too_small') return `Ensure this value is greater than or equal to ${min}.`;
    return absenceDetail(issue) ?? 'A valid integer is required.';
  };
  return z.int({ error }).min(min).max(max);
}

/** A non-negative integer that the service assigns, such as an id, a count or a version. */
export function natural(): z.ZodInt {
  return integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
}

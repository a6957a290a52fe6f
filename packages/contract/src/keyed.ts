import * as z from 'zod';
import { wireDetail } from './wire-detail.ts';

/** An object whose keys callers choose, of at most `max` entries. `z.record` would check them all first, and skip `__proto__`. */
export function keyed<Value extends z.ZodType>(key: z.ZodString, value: Value, max: number) {
  const entries = z.record(key, value);
  return z
    .custom<z.output<typeof entries>>()
    .check(({ value: given, issues }) => void issues.push(...issuesOf(entries, given, max)))
    .meta({ type: 'object', maxProperties: max });
}

function issuesOf(
  entries: z.ZodRecord<z.ZodString>,
  given: unknown,
  max: number,
): readonly z.core.$ZodRawIssue[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [{ code: 'invalid_type', expected: 'record', input: given }];
  }
  if (Object.keys(given).length > max) {
    return [{ code: 'too_big', origin: 'record', maximum: max, inclusive: true, input: given }];
  }
  const key = '__proto__';
  if (Object.hasOwn(given, key))
    return [{ code: 'invalid_key', origin: 'record', issues: [], input: key, path: [key] }];
  const { error } = entries.safeParse(given, { error: wireDetail, reportInput: true });
  return (error?.issues.slice(0, 1) ?? []) as z.core.$ZodRawIssue[];
}

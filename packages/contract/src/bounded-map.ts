import * as z from 'zod';
import { wireDetail } from './wire-detail.ts';

/**
 * An object with at most `max` entries, whose keys callers choose. Unlike `z.record`, it counts the entries before it
 * validates them, and rejects `__proto__`.
 */
export function boundedMap<Value extends z.ZodType>(key: z.ZodString, value: Value, max: number) {
  const entries = z.record(key, value);
  return z
    .custom<z.output<typeof entries>>()
    .check(({ value: input, issues }) => void issues.push(...issuesOf(entries, input, max)))
    .meta({ type: 'object', maxProperties: max });
}

function issuesOf(
  entries: z.ZodRecord<z.ZodString>,
  input: unknown,
  max: number,
): readonly z.core.$ZodRawIssue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return [{ code: 'invalid_type', expected: 'record', input }];
  }
  if (Object.keys(input).length > max) {
    return [{ code: 'too_big', origin: 'record', maximum: max, inclusive: true, input }];
  }
  const key = '__proto__';
  if (Object.hasOwn(input, key))
    return [{ code: 'invalid_key', origin: 'record', issues: [], input: key, path: [key] }];
  const { error } = entries.safeParse(input, { error: wireDetail, reportInput: true });
  return (error?.issues.slice(0, 1) ?? []) as z.core.$ZodRawIssue[];
}

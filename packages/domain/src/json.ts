import { DomainError } from './domain-error.ts';
import { checkStorable } from './text.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

const DEPTH_MAX = 64;

/**
 * Deeper nesting serves nobody, and writing it out would exhaust the stack. A number beyond all bounds, such as
 * 1e400, would be written out as null. Texts are such as the database can read, within JSON too.
 */
export function checkJson(value: Json, attr: string, depth = 0): void {
  if (typeof value === 'string') checkStorable(value, attr);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new DomainError('invalid_input', 'Numbers must be finite.', { attr });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === DEPTH_MAX) {
    throw new DomainError('invalid_input', `Ensure this is nested no deeper than ${DEPTH_MAX} levels.`, {
      attr,
    });
  }
  for (const [key, child] of Object.entries(value)) {
    checkStorable(key, attr);
    checkJson(child, attr, depth + 1);
  }
}

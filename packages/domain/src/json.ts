import { DomainError } from './domain-error.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

const DEPTH_MAX = 64;

/** Deeper nesting serves nobody, and writing it out would exhaust the stack. */
export function checkDepth(value: Json, attr: string, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === DEPTH_MAX) {
    throw new DomainError('invalid_input', `Ensure this is nested no deeper than ${DEPTH_MAX} levels.`, {
      attr,
    });
  }
  for (const child of Object.values(value)) checkDepth(child, attr, depth + 1);
}

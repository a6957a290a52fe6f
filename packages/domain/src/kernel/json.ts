import { DomainError } from './domain-error.ts';
import { InexactNumber } from './exact-json.ts';
import { checkStorable } from './text.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

const DEPTH_MAX = 64;
const SHOWN_MAX = 50;

/** Refuses nesting that would exhaust the stack when it is written, and texts that the database cannot store. */
export function checkJson(value: Json, attr: string, depth = 0): void {
  if (typeof value === 'string') checkStorable(value, attr);
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

/** Refuses a number that would be stored with another value. The depth of the value must have been checked. */
export function checkNumbers(value: Json, attr: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof InexactNumber) throw inexact(value, attr);
  for (const child of Object.values(value)) checkNumbers(child, attr);
}

function inexact({ source }: InexactNumber, attr: string): DomainError {
  const shown = source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source;
  return new DomainError(
    'invalid_input',
    `The number ${shown} cannot be kept exactly: send it as a string.`,
    { attr },
  );
}

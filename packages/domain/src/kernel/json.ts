import { DomainError, invalidInput } from './domain-error.ts';
import { InexactNumber } from './exact-json.ts';
import { checkStorable } from './text.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

const DEPTH_MAX = 64;
/**
 * The maximum number of values in a configuration, job payload, default or secret. Comparing, masking and writing that
 * many takes up to 50 ms.
 */
export const VALUES_MAX = 5000;
const SHOWN_MAX = 50;

/**
 * Rejects values nested too deeply to be serialised, text that the database cannot store, and values that are
 * too large. Stops at the first violation.
 */
export function checkJson(value: Json, attr: string, maxBytes = Infinity): void {
  checkPart(value, 0, { attr, maxBytes, values: 0, bytes: 0 });
}

/** The running totals of a check. */
interface Seen {
  readonly attr: string;
  readonly maxBytes: number;
  values: number;
  /** A lower bound of the size as compact JSON. */
  bytes: number;
}

function checkPart(value: Json, depth: number, seen: Seen): void {
  const { attr, maxBytes } = seen;
  seen.values++;
  seen.bytes += typeof value === 'string' ? value.length : 1;
  if (seen.values > VALUES_MAX) throw tooLarge(`Ensure this has no more than ${VALUES_MAX} values.`, attr);
  if (seen.bytes > maxBytes) throw tooLarge(`Ensure this takes no more than ${maxBytes} bytes.`, attr);
  if (typeof value === 'string') checkStorable(value, attr);
  if (typeof value !== 'object' || value === null) return;
  if (depth === DEPTH_MAX) {
    throw invalidInput(attr, `Ensure this is nested no deeper than ${DEPTH_MAX} levels.`);
  }
  if (isList(value)) {
    for (const child of value) checkPart(child, depth + 1, seen);
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    checkStorable(key, attr);
    seen.bytes += key.length;
    checkPart(child, depth + 1, seen);
  }
}

/** Whether a parsed value is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function tooLarge(message: string, attr: string): DomainError {
  return new DomainError('too_large', message, { attr });
}

/** Rejects numbers that would be stored with another value. Size and depth must have been checked before. */
export function checkNumbers(value: Json, attr: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof InexactNumber) throw inexact(value, attr);
  for (const child of Object.values(value)) checkNumbers(child, attr);
}

function inexact({ source }: InexactNumber, attr: string): DomainError {
  const shown = source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source;
  return invalidInput(attr, `The number ${shown} cannot be kept exactly: send it as a string.`);
}

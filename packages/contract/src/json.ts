import * as z from 'zod';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Any JSON value. It is neither copied nor traversed. */
export const json = z.custom<Json>((value) => value !== undefined);

/** A number that would lose digits is parsed as an instance of a class. */
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export const jsonObject = z
  .custom<JsonObject>(isJsonObject, {
    error: 'A JSON object is required.',
  })
  .meta({ type: 'object', additionalProperties: true });

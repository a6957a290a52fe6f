import * as z from 'zod';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Any JSON value. It is neither copied nor traversed. */
export const json = z.custom<Json>((value) => value !== undefined);

export const jsonObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'A JSON object is required.',
  })
  .meta({ type: 'object', additionalProperties: true });

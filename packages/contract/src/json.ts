import * as z from 'zod';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Anything that JSON can say, as it is: nothing is copied and nothing walked through. */
export const json = z.custom<Json>((value) => value !== undefined);

export const jsonObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'A JSON object is required.',
  })
  .meta({ type: 'object', additionalProperties: true });

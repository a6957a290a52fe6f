import * as z from 'zod';

/** The response of a healthy process. An unhealthy one responds with 503 and the reason in an error body. */
export const health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', examples: [{ status: 'ok' }] });

export type WireHealth = z.infer<typeof health>;

import * as z from 'zod';

/** The answer of a healthy process. An unhealthy one answers 503 with the reason in an error body. */
export const health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', examples: [{ status: 'ok' }] });

export type WireHealth = z.infer<typeof health>;

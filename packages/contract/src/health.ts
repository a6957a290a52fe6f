import * as z from 'zod';

/** Where something is not well, the answer is 503 with an error body that tells the reason. */
export const health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', examples: [{ status: 'ok' }] });

export type WireHealth = z.infer<typeof health>;

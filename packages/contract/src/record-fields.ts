import * as z from 'zod';
import { INTEGER_MAX, RECORD_DESCRIPTION_MAX, RECORD_NAME_MAX } from '@plugin-config/domain/vocabulary';
import { integer } from './integer.ts';
import { text } from './text.ts';

export const plugin = integer({ min: 1, max: INTEGER_MAX }).meta({
  description: 'Identifier of the plugin.',
});
export const order = integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Position in the ordering.' });

/** The fields that a request may write. `deleted: null` counts as absent. */
export const writableFields = {
  plugin: plugin.optional(),
  enabled: z.boolean().optional(),
  order: order.optional(),
  name: text(RECORD_NAME_MAX).nullable().optional(),
  description: text(RECORD_DESCRIPTION_MAX).nullable().optional(),
  deleted: z
    .boolean()
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()
    .meta({
      description: 'True also disables the record, false restores it, and null counts as absent.',
    }),
};

export function isEmptyChange(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).every((value) => value === undefined);
}

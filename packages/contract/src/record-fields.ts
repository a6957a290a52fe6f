import * as z from 'zod';
import { INTEGER_MAX, perText, RECORD_TEXTS_MAX } from '@plugin-config/domain/vocabulary';
import { integer } from './integer.ts';
import { text } from './text.ts';

export const plugin = integer({ min: 1, max: INTEGER_MAX }).meta({
  description: 'Identifier of the plugin.',
});
export const order = integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Position in the ordering.' });

export const writableTexts = perText((name) => text(RECORD_TEXTS_MAX[name]).nullable().optional());

/** The fields that a request may write. `deleted: null` counts as absent. */
export const writableFields = {
  plugin: plugin.optional(),
  enabled: z.boolean().optional(),
  order: order.optional(),
  ...writableTexts,
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

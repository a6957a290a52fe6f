import * as z from 'zod';
import {
  INTEGER_MAX,
  perText,
  RECORD_TEXTS_MAX,
  SLUG,
  SLUG_EXPECTED,
  SLUG_MAX,
  SLUG_PREFIX,
} from '@plugin-config/domain/vocabulary';
import { integer } from './integer.ts';
import { digits, orNull, parameter } from './parameter.ts';
import { text } from './text.ts';
import { absenceDetail } from './wire-detail.ts';

export const plugin = integer({ min: 1, max: INTEGER_MAX }).meta({
  description: 'Identifier of the plugin.',
});
export const slug = z
  .string()
  .regex(new RegExp(`^${SLUG}$`), SLUG_EXPECTED)
  .meta({ maxLength: SLUG_MAX, examples: ['geoip'] });

const slugRef = z.templateLiteral([SLUG_PREFIX, slug]).meta({
  pattern: `^${SLUG_PREFIX}${SLUG}$`,
  maxLength: SLUG_PREFIX.length + SLUG_MAX,
});

export const PLUGIN_EXPECTED = 'A valid integer is required, or slug: and a slug.';

/** A plugin in requests. */
export const pluginRef = z
  .union([plugin, slugRef], { error: (issue) => absenceDetail(issue) ?? PLUGIN_EXPECTED })
  .meta({ description: 'Identifier of the plugin, or `slug:` and its slug.' });

const ID = digits({ min: 1, max: INTEGER_MAX });

/** Undocumented: each list describes what it filters. */
export const pluginParameter = parameter(orNull(pluginRef), {
  read: (sent) => (sent.startsWith(SLUG_PREFIX) ? sent : ID.read(sent)),
  expected: PLUGIN_EXPECTED,
});

export const order = integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Position in the ordering.' });

export const writableTexts = perText((name) => text(RECORD_TEXTS_MAX[name]).nullable().optional());

/** The fields that a request may write. `deleted: null` counts as absent. */
export const writableFields = {
  plugin: pluginRef.optional(),
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

import * as z from 'zod';
import { integer, INTEGER_MAX } from './integer.ts';
import { json } from './json.ts';
import { filledText, text } from './text.ts';

const NAME_MAX = 400;
const TEXT_MAX = 10_000;
const ADDRESS_MAX = 2000;
const KEY_MAX = 200;
const LIST_MAX = 500;

const FIELD_TYPES = ['string', 'number', 'boolean', 'choice', 'json'] as const;

/** Null counts as absent. */
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value ?? undefined);

const configField = z.strictObject({
  key: filledText(KEY_MAX),
  type: z.enum(FIELD_TYPES),
  name: optionalText(NAME_MAX),
  default: json.optional(),
  required: z.boolean().optional(),
  choices: z.array(text(NAME_MAX)).max(LIST_MAX).optional(),
  secret: z.boolean().optional().meta({ description: 'Whether values are masked.' }),
  site: z.boolean().optional().meta({ description: 'Whether browsers may see values.' }),
  hint: optionalText(TEXT_MAX),
});

const registration = {
  name: filledText(NAME_MAX),
  description: optionalText(TEXT_MAX),
  url: optionalText(ADDRESS_MAX),
  icon: optionalText(ADDRESS_MAX),
  config_schema: z.array(configField).max(LIST_MAX).optional(),
};

const toDomainNames = <Sent extends { readonly config_schema?: unknown }>({
  config_schema: configSchema,
  ...plugin
}: Sent): Omit<Sent, 'config_schema'> & { readonly configSchema: Sent['config_schema'] } => ({
  ...plugin,
  configSchema,
});

/**
 * The file from which an operator registers a plugin. Unknown fields are rejected: a misspelt `secret` would disclose
 * the value.
 */
export const pluginFile = z
  .strictObject({
    id: integer({ min: 1, max: INTEGER_MAX }),
    ...registration,
  })
  .transform((plugin) => toDomainNames(plugin))
  .meta({ id: 'PluginFile', description: 'A plugin as operators register it.' });

/** Like `pluginFile`, without the id, which is in the path. */
export const pluginBody = z
  .strictObject(registration)
  .transform((plugin) => toDomainNames(plugin))
  .meta({ id: 'RegisterPlugin', description: 'The plugin to register.' });

export type PluginFile = z.output<typeof pluginFile>;

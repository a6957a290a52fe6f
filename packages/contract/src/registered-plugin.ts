import * as z from 'zod';
import { FIELD_TYPES, INTEGER_MAX } from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { integer, natural } from './integer.ts';
import { json } from './json.ts';
import { pageOf } from './page.ts';
import { responseText } from './response-text.ts';
import { filledText, text } from './text.ts';

const NAME_MAX = 400;
const TEXT_MAX = 10_000;
const ADDRESS_MAX = 2000;
const KEY_MAX = 200;
const FIELDS_MAX = 500;

const flag = z.boolean().optional();
const secret = flag.meta({ description: 'Whether values are masked.' });
const site = flag.meta({ description: 'Whether browsers may see values.' });

const field = z.object({
  key: responseText(KEY_MAX),
  type: z.enum(FIELD_TYPES),
  name: responseText(NAME_MAX).optional(),
  default: json.optional(),
  required: flag,
  choices: z.array(responseText(NAME_MAX)).meta({ maxItems: FIELDS_MAX }).optional(),
  secret,
  site,
  hint: responseText(TEXT_MAX).optional(),
});

export const registeredPlugin = z
  .object({
    id: natural(),
    name: responseText(NAME_MAX),
    description: responseText(TEXT_MAX).optional(),
    url: responseText(ADDRESS_MAX).optional(),
    icon: responseText(ADDRESS_MAX).optional(),
    config_schema: z.array(field).optional().meta({
      maxItems: FIELDS_MAX,
      description: 'As registered, without the defaults of secrets.',
    }),
  })
  .meta({
    id: 'RegisteredPlugin',
    description: 'A registered plugin.',
    examples: [
      {
        id: 8,
        name: 'Webhook',
        url: 'https://example.com',
        config_schema: [{ key: 'retry', type: 'boolean', default: true }],
      },
    ],
  });

export const registeredPluginPage = pageOf('RegisteredPluginPage', registeredPlugin);

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
  required: flag,
  choices: z.array(text(NAME_MAX)).max(FIELDS_MAX).optional(),
  secret,
  site,
  hint: optionalText(TEXT_MAX),
});

const registration = {
  name: filledText(NAME_MAX),
  description: optionalText(TEXT_MAX),
  url: optionalText(ADDRESS_MAX),
  icon: optionalText(ADDRESS_MAX),
  config_schema: z.array(configField).max(FIELDS_MAX).optional(),
};

const renamed = camelCased({});

/**
 * The file from which an operator registers a plugin. Unknown fields are rejected: a misspelt `secret` would disclose
 * the value.
 */
export const pluginFile = z
  .strictObject({
    id: integer({ min: 1, max: INTEGER_MAX }),
    ...registration,
  })
  .transform((plugin) => renamed(plugin))
  .meta({ id: 'PluginFile', description: 'A plugin as operators register it.' });

/** Like `pluginFile`, without the id, which is in the path. */
export const pluginBody = z
  .strictObject(registration)
  .transform((plugin) => renamed(plugin))
  .meta({ id: 'RegisterPlugin', description: 'The plugin to register.' });

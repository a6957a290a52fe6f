import * as z from 'zod';
import { isJsonObject, jsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { pluginRef, writableFields } from './record-fields.ts';
import { JSON_TEXT_MAX } from './response-text.ts';

/** A record is sent back with its configuration as text, which changes nothing. */
export const config = z
  .custom<JsonObject | string | null>(
    (value) => typeof value === 'string' || value === null || isJsonObject(value),
    { error: 'A JSON object is required.' },
  )
  .transform((value) => (typeof value === 'object' ? (value ?? undefined) : undefined))
  .optional()
  .meta({
    type: ['object', 'string', 'null'],
    maxLength: JSON_TEXT_MAX,
    pattern: String.raw`^[\s\S]*$`,
    description: 'An object sets the configuration. Text, as in responses, is ignored.',
  });

const changeFields = { ...writableFields, config };

export const createBody = z.object({ ...changeFields, plugin: pluginRef }).meta({
  id: 'CreateConfigRecord',
  description: 'The fields of the new record. Read-only and unknown fields are ignored.',
});

export const replaceBody = z.object({ ...changeFields, plugin: pluginRef }).meta({
  id: 'ReplaceConfigRecord',
  description:
    'All writable fields. An absent field is reset to its default, except `order` and `config`, which are kept. Read-only and unknown fields are ignored.',
});

export const updateBody = z.object(changeFields).meta({
  id: 'UpdateConfigRecord',
  description: 'The fields to change. Read-only and unknown fields are ignored.',
});

export const configurationPatch = jsonObject.meta({
  id: 'ConfigurationPatch',
  description: 'The entries to change. Null removes an entry; a masked secret keeps its value.',
});

export const configurationBody = jsonObject.meta({
  id: 'Configuration',
  description:
    'The whole configuration. A secret that is missing or sent back masked keeps its value; "" clears it.',
});

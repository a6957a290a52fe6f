import * as z from 'zod';
import { jsonObject } from './json.ts';
import { plugin, writableFields } from './record-fields.ts';

export const createBody = z.object({ ...writableFields, plugin }).meta({
  id: 'CreateConfigRecord',
  description: 'The fields of the new record. Read-only and unknown fields are ignored.',
});

export const replaceBody = z.object({ ...writableFields, plugin }).meta({
  id: 'ReplaceConfigRecord',
  description:
    'All writable fields. An absent field is reset to its default, except `order`, which is kept. Read-only and unknown fields are ignored.',
});

export const updateBody = z.object(writableFields).meta({
  id: 'UpdateConfigRecord',
  description: 'The fields to change. Read-only and unknown fields are ignored.',
});

export const configurationBody = jsonObject.meta({
  id: 'Configuration',
  description:
    'The whole configuration. A secret that is missing or sent back masked keeps its value; "" clears it.',
});

import * as z from 'zod';
import { perText, RECORD_TEXTS_MAX } from '@plugin-config/domain/vocabulary';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { order, plugin } from './record-fields.ts';
import { responseJson, responseMessage, responseText } from './response-text.ts';

const EXAMPLE = {
  id: 42,
  plugin: 7,
  enabled: true,
  order: 1,
  config: '{"host":"example.com","token":"********"}',
  error: null,
  team_id: 1,
  plugin_info: '{"id":7,"name":"GeoIP"}',
  delivery_rate_24h: '0.9873',
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-02T18:04:11.250Z',
  name: 'GeoIP for the shop',
  description: null,
  deleted: false,
};

export const recordTexts = perText((name) => responseText(RECORD_TEXTS_MAX[name]).nullable());

/** The fields of a record in a response. */
export const recordFields = {
  id: natural().meta({ description: 'Identifier of the config record.' }),
  plugin,
  enabled: z.boolean(),
  order,
  config: responseJson.meta({ description: 'The configuration as JSON text, with secret values masked.' }),
  error: responseMessage.nullable().meta({ description: 'The last error that the plugin reported.' }),
  team_id: natural().meta({ description: 'The project that the record belongs to.' }),
  plugin_info: responseJson
    .nullable()
    .meta({ description: 'The registered plugin as JSON text; null if it is not registered.' }),
  delivery_rate_24h: z
    .string()
    .nullable()
    .meta({
      description: 'Share of the deliveries in the last 24 hours that succeeded; null if there were none.',
      pattern: String.raw`^[01]\.\d{4}$`,
      maxLength: 6,
    }),
  created_at: moment,
  updated_at: moment,
  ...recordTexts,
  deleted: z.boolean(),
};

export const configRecord = z.object(recordFields).meta({
  id: 'ConfigRecord',
  description: 'A plugin attached to a project, with its configuration.',
  examples: [EXAMPLE],
});

export const configRecordPage = pageOf('ConfigRecordPage', configRecord);

export type WireConfigRecord = z.infer<typeof configRecord>;
export type WireConfigRecordPage = z.infer<typeof configRecordPage>;

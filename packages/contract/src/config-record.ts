import * as z from 'zod';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { DESCRIPTION_MAX, NAME_MAX, order, plugin } from './record-fields.ts';
import { shownJson, shownMessage, shownText } from './shown-text.ts';

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

/** The fields of a record in an answer. */
export const recordFields = {
  id: natural().meta({ description: 'Identifies the config record.' }),
  plugin,
  enabled: z.boolean(),
  order,
  config: shownJson.meta({ description: 'JSON text of the configuration; secret values are masked.' }),
  error: shownMessage.nullable().meta({ description: 'The last error that the plugin reported.' }),
  team_id: natural().meta({ description: 'The project that the record belongs to.' }),
  plugin_info: shownJson
    .nullable()
    .meta({ description: 'JSON text of the registered plugin; null if it is not registered.' }),
  delivery_rate_24h: z
    .string()
    .nullable()
    .meta({
      description:
        'The share of the deliveries of the last 24 hours that succeeded; null if there were none.',
      pattern: String.raw`^[01]\.\d{4}$`,
      maxLength: 6,
    }),
  created_at: moment,
  updated_at: moment,
  name: shownText(NAME_MAX).nullable(),
  description: shownText(DESCRIPTION_MAX).nullable(),
  deleted: z.boolean(),
};

export const configRecord = z.object(recordFields).meta({
  id: 'ConfigRecord',
  description: 'Attaches a plugin to a project.',
  examples: [EXAMPLE],
});

export const configRecordPage = pageOf('ConfigRecordPage', configRecord);

export type WireConfigRecord = z.infer<typeof configRecord>;
export type WireConfigRecordPage = z.infer<typeof configRecordPage>;

import * as z from 'zod';
import { LABEL_MAX, RECORD_TEXTS_MAX } from '@plugin-config/domain/vocabulary';
import { natural } from './integer.ts';
import { externalId } from './project.ts';
import { slug } from './record-fields.ts';
import { responseText } from './response-text.ts';

// How events, and lists of all projects, name what they are about.

export const projectSubject = z.object({
  id: natural(),
  external_id: externalId.nullable(),
  name: responseText(LABEL_MAX).meta({ examples: ['Acme'] }),
});

export const recordSubject = z.object({ id: natural(), name: responseText(RECORD_TEXTS_MAX.name) }).meta({
  examples: [{ id: 42, name: 'GeoIP 42' }],
  description: 'An unnamed record is called by the name of its plugin and its id, such as "GeoIP 17".',
});

export const pluginSubject = z
  .object({ id: natural(), slug: slug.nullable(), name: responseText(LABEL_MAX).nullable() })
  .meta({
    description: 'The plugin, such as that of the record. Its name is null if it is not registered.',
    examples: [{ id: 8, slug: 'geoip', name: 'GeoIP' }],
  });

import * as z from 'zod';
import { CONFIGURATION_MAX_BYTES } from '@plugin-config/domain/vocabulary';
import { actor, requestIdOfChange } from './activity.ts';
import { recordFields } from './config-record.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { versionName } from './plugin-version.ts';
import { responseText } from './response-text.ts';

const SECRETS_MAX = 20_000;

export const revision = z
  .object({
    number: natural().meta({ description: 'Number of the revision within the record; 1 is its creation.' }),
    created_at: moment,
    actor,
    request_id: requestIdOfChange,
    name: recordFields.name,
    description: recordFields.description,
    config: recordFields.config,
    schema_version: natural().meta({ description: 'The schema version that the configuration follows.' }),
    plugin_version: versionName.nullable().meta({
      description:
        'The version of the plugin that the record was pinned to; null if it followed the current one.',
    }),
  })
  .meta({
    id: 'Revision',
    description: 'The name, description and configuration of a record after a change to one of them.',
  });

export const revisionPage = pageOf('RevisionPage', revision);

export const restoredRecord = z
  .object({
    ...recordFields,
    missing_secrets: z.array(responseText(CONFIGURATION_MAX_BYTES)).meta({
      maxItems: SECRETS_MAX,
      description: 'Secrets that the revision had and the record no longer has.',
    }),
  })
  .meta({
    id: 'RestoredConfigRecord',
    description: 'The restored record, and the secrets that it lacks.',
  });

export type WireRestoredRecord = z.infer<typeof restoredRecord>;

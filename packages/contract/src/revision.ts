import * as z from 'zod';
import { actor, changedBy } from './activity.ts';
import { recordFields } from './config-record.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { shownText } from './shown-text.ts';

/** The longest configuration, which may be one key. */
const KEY_MAX = 256 * 1024;
const SECRETS_MAX = 20_000;

export const revision = z
  .object({
    number: natural().meta({ description: 'Counts the revisions of the record; 1 is its creation.' }),
    created_at: moment,
    actor,
    request_id: changedBy,
    name: recordFields.name,
    description: recordFields.description,
    config: recordFields.config,
  })
  .meta({
    id: 'Revision',
    description: 'The name, the description and the configuration of a record after a change of one of them.',
    examples: [
      {
        number: 3,
        created_at: '2026-03-02T18:04:11.250Z',
        actor: { key_id: 3, label: 'deploy script' },
        request_id: '7b0e2c5e-2b1e-4f4c-9a55-0f6f5b9a8f11',
        name: 'GeoIP for the shop',
        description: null,
        config: '{"host":"example.com","token":"********"}',
      },
    ],
  });

export const revisionPage = pageOf('RevisionPage', revision);

export const restoredRecord = z
  .object({
    ...recordFields,
    missing_secrets: z.array(shownText(KEY_MAX)).meta({
      maxItems: SECRETS_MAX,
      description: 'The secrets that the revision had and the record has no more.',
    }),
  })
  .meta({
    id: 'RestoredConfigRecord',
    description: 'The record as it is now, and the secrets that it lacks.',
  });

export type WireRevision = z.infer<typeof revision>;
export type WireRevisionPage = z.infer<typeof revisionPage>;
export type WireRestoredRecord = z.infer<typeof restoredRecord>;

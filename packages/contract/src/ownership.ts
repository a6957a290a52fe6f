import * as z from 'zod';
import { DECLARED_MAX } from '@plugin-config/domain/vocabulary';
import { actor } from './activity.ts';
import { familyName } from './family.ts';
import { OWNER_NAME } from './headers.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { RAW_TEXT, orNull, parameter } from './parameter.ts';
import { responseText } from './response-text.ts';

const NAME_EXPECTED =
  'Up to 100 letters, digits, dots, dashes and underscores are required, starting with a letter or a digit.';
/** The maximum number of records, live and deleted, that a response lists. */
export const OWNED_MAX = 1_000_000;
const FIELD_MAX = 64 * 1024;
const FIELDS_MAX = 100_000;

const ownerName = z
  .string()
  .regex(new RegExp(OWNER_NAME.pattern), NAME_EXPECTED)
  .meta({ maxLength: OWNER_NAME.maxLength });

export const managerName = ownerName.meta({
  description: 'Name of the manager that owns the records, such as a team.',
  examples: ['checkout-team'],
});
export const recordKey = ownerName.meta({
  description: 'Key of the record, unique within the project, the family and the manager.',
  examples: ['geoip'],
});

const recordId = natural().meta({ description: 'Identifier of the config record.' });

const owned = z.object({ family: familyName, id: recordId, key: recordKey, manager: managerName });

export const ownedRecord = owned.meta({
  id: 'OwnedRecord',
  description: 'A record, its manager and its key.',
});

export const conflict = owned.meta({
  id: 'Conflict',
  description: 'A record that prevents the request from being carried out, and its manager.',
});

export const editedRecord = z
  .object({
    family: familyName,
    id: recordId,
    key: recordKey.nullable().meta({ description: 'Null if the manager does not own the record.' }),
    fields: z
      .array(responseText(FIELD_MAX))
      .meta({ maxItems: FIELDS_MAX, description: 'The edited fields.' }),
    actor: actor
      .nullable()
      .meta({ description: 'Who edited it last; null if the history no longer includes the edit.' }),
    at: moment.nullable().meta({ description: 'When it was edited last.' }),
  })
  .meta({
    id: 'EditedRecord',
    description: 'An edited record: which fields were edited, and who edited it last and when.',
  });

export const drift = z
  .object({ results: z.array(editedRecord).meta({ maxItems: OWNED_MAX }) })
  .meta({ id: 'Drift', description: 'The owned records that were edited since the last apply.' });

export const ownedRecords = z
  .object({ results: z.array(ownedRecord).meta({ maxItems: DECLARED_MAX }) })
  .meta({ id: 'OwnedRecords', description: 'The records that the request named.' });

export const ownedRecordPage = pageOf('OwnedRecordPage', ownedRecord);

export const adoptBody = z
  .strictObject({
    manager: managerName,
    records: z.array(z.strictObject({ family: familyName, id: natural(), key: recordKey })).max(DECLARED_MAX),
  })
  .meta({ id: 'AdoptRecords', description: 'The records that the manager should own, and their keys.' });

const managerParameter = parameter(managerName, RAW_TEXT);

export const managerQuery = z.object({ manager: managerParameter });
export const ownedListQuery = z.object({
  ...pageParameters,
  manager: parameter(orNull(managerName), RAW_TEXT).meta({
    description: 'Only the records of this manager.',
  }),
});

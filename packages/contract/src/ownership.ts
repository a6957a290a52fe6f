import * as z from 'zod';
import { WIRE_FAMILIES } from './family.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { AS_IT_IS, orNull, parameter } from './parameter.ts';
import { shownText } from './shown-text.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const NAME_EXPECTED =
  'Letters, digits, points, dashes and underscores are required, at most 100, the first one a letter or a digit.';
/** The maximum number of records in a document, and in the requests and answers that name owned records. */
export const DOCUMENT_MAX = 10_000;
/** The live and deleted records of both families that may be listed. */
export const OWNED_MAX = 1_000_000;
const FIELD_MAX = 64 * 1024;
const FIELDS_MAX = 100_000;
const LABEL_MAX = 200;

const ownerName = z.string().regex(NAME, NAME_EXPECTED).meta({ pattern: NAME.source, maxLength: 100 });

export const managerName = ownerName.meta({
  description: 'The name of the manager that owns the records, such as a team.',
  examples: ['checkout-team'],
});
export const recordKey = ownerName.meta({
  description: 'Names the record; unique within project, family and manager.',
  examples: ['geoip'],
});

export const familyName = z
  .enum(Object.keys(WIRE_FAMILIES) as (keyof typeof WIRE_FAMILIES)[])
  .meta({ description: 'The family of the record.' });

const recordId = natural().meta({ description: 'Identifier of the config record.' });

const owned = z.object({ family: familyName, id: recordId, key: recordKey, manager: managerName });

const ownedRecord = owned.meta({
  id: 'OwnedRecord',
  description: 'A record, its manager, and its key within those of the manager.',
});

export const conflict = owned.meta({
  id: 'Conflict',
  description: 'A record that prevents what was asked for, and its manager.',
});

const actor = z.object({ key_id: natural().nullable(), label: shownText(LABEL_MAX) });

export const editedRecord = z
  .object({
    family: familyName,
    id: recordId,
    key: recordKey.nullable().meta({ description: 'Null if the manager does not own the record.' }),
    fields: z.array(shownText(FIELD_MAX)).meta({ maxItems: FIELDS_MAX, description: 'What was edited.' }),
    actor: actor
      .nullable()
      .meta({ description: 'Who edited it last; null if the history does not tell any more.' }),
    at: moment.nullable().meta({ description: 'When it was edited last.' }),
  })
  .meta({
    id: 'EditedRecord',
    description: 'A record that was edited: the fields, and by whom and when at last.',
  });

export const drift = z
  .object({ results: z.array(editedRecord).meta({ maxItems: OWNED_MAX }) })
  .meta({ id: 'Drift', description: 'The owned records that were edited since the last apply.' });

export const ownedRecords = z
  .object({ results: z.array(ownedRecord).meta({ maxItems: DOCUMENT_MAX }) })
  .meta({ id: 'OwnedRecords', description: 'The records that the request named.' });

export const ownedRecordPage = pageOf('OwnedRecordPage', ownedRecord);

export const adoptBody = z
  .strictObject({
    manager: managerName,
    records: z
      .array(z.strictObject({ family: familyName, id: natural(), key: recordKey }))
      .max(DOCUMENT_MAX)
      .meta({ maxItems: DOCUMENT_MAX }),
  })
  .meta({ id: 'AdoptRecords', description: 'The records that the manager is to own, and their keys.' });

export const releaseBody = z
  .strictObject({
    manager: managerName,
    keys: z
      .array(z.strictObject({ family: familyName, key: recordKey }))
      .max(DOCUMENT_MAX)
      .meta({ maxItems: DOCUMENT_MAX }),
  })
  .meta({ id: 'ReleaseRecords', description: 'The records that the manager is to own no more.' });

const managerParameter = parameter(managerName, AS_IT_IS);

export const managerQuery = z.object({ manager: managerParameter });
export const ownedListQuery = z.object({
  ...pageParameters,
  manager: parameter(orNull(managerName), AS_IT_IS).meta({
    description: 'Only the records of this manager.',
  }),
});

export type WireOwnedRecords = z.output<typeof ownedRecords>;
export type WireOwnedRecordPage = z.output<typeof ownedRecordPage>;
export type WireEditedRecord = z.output<typeof editedRecord>;
export type WireDrift = z.output<typeof drift>;

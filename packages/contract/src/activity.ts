import * as z from 'zod';
import { ACTIVITIES, LABEL_MAX } from '@plugin-config/domain/vocabulary';
import { recordFields } from './config-record.ts';
import { REQUEST_ID } from './headers.ts';
import { integer, natural } from './integer.ts';
import { json } from './json.ts';
import { afterParameter, beforeParameter, moment, MOMENT_FORMAT } from './moment.ts';
import { PAGE_MAX, pageEnvelope, pageOf, pageParameters } from './page.ts';
import { RAW_TEXT, digits, ID, idParameter, orNull, parameter } from './parameter.ts';
import { responseText, uuid } from './response-text.ts';

export const activity = z.enum(ACTIVITIES);

const CHANGES_MAX = 100;
const FIELD_MAX = 64 * 1024;

const OPERATOR = 'operator';

/** The longest label of an alert has this before its name. */
const ALERT = 'alert 9007199254740991 on all projects: ';

export const familyActivityQuery = z
  .object({
    ...pageParameters,
    actor: parameter(orNull(z.union([integer(ID), z.literal(OPERATOR)])), {
      read: (text) => (text === OPERATOR ? text : digits(ID).read(text)),
      expected: `The id of a key or the word ${OPERATOR} is required.`,
    }).meta({
      description: `Only changes made with the key of this id or, with \`${OPERATOR}\`, by operator commands.`,
    }),
    activity: parameter(orNull(activity), RAW_TEXT).meta({
      description: 'Only changes of this kind.',
    }),
    record: idParameter.meta({ description: 'Only changes to this record.' }),
    after: afterParameter.meta({
      description: `Only changes after this time. ${MOMENT_FORMAT}`,
    }),
    before: beforeParameter.meta({
      description: `Only changes before this time. ${MOMENT_FORMAT}`,
    }),
  })
  .transform(({ actor: by, record, ...query }) => ({
    ...query,
    recordId: record,
    actor: by === null ? null : { keyId: by === OPERATOR ? null : by },
  }));

/** For whom a token acts. */
export const actorSubject = z.object({
  id: responseText(LABEL_MAX),
  name: responseText(LABEL_MAX).optional(),
});

export const actor = z
  .object({
    key_id: natural().nullable().meta({ description: "Null for an operator's command or an alert." }),
    label: responseText(ALERT.length + LABEL_MAX),
    subject: actorSubject.optional().meta({
      description:
        'For whom the token of the request was issued; absent if it was a key, or the token has no subject.',
    }),
  })
  .meta({ examples: [{ key_id: 3, label: 'deploy script' }] });

export const requestIdOfChange = z
  .string()
  .nullable()
  .meta({ ...REQUEST_ID, description: 'The `x-request-id` of the request that made the change.' });

const change = z
  .object({ field: responseText(FIELD_MAX), before: json, after: json })
  .meta({ examples: [{ field: 'enabled', before: true, after: false }] });

export const activityEntry = z
  .object({
    id: natural(),
    activity,
    created_at: moment,
    actor,
    changes: z
      .array(change)
      .meta({ maxItems: CHANGES_MAX, description: `At most ${CHANGES_MAX} changes and 64 KiB in total.` }),
    more: natural().optional().meta({
      description: 'Number of further changes that were left out; absent if there are none.',
    }),
    request_id: requestIdOfChange,
    apply_id: uuid.optional().meta({
      description: 'Identifier of the apply that made the change; absent if it was not an apply.',
    }),
  })
  .meta({
    id: 'ActivityEntry',
    description: 'A change to a record: who made it, when, and each field before and after.',
  });

export const familyActivityEntry = z
  .object({
    record: natural().meta({ description: 'Identifier of the record that changed.', examples: [42] }),
    ...activityEntry.shape,
  })
  .meta({ id: 'FamilyActivityEntry', description: 'A change to one of the records.' });

export const familyActivityPage = pageOf('FamilyActivityPage', familyActivityEntry);

export const activityView = z
  .object({ ...recordFields, ...pageEnvelope, results: z.array(activityEntry).meta({ maxItems: PAGE_MAX }) })
  .meta({
    id: 'ConfigRecordActivity',
    description: 'The fields of the record, together with one page of its history, newest first.',
  });

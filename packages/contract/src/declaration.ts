import * as z from 'zod';
import { DECLARED_MAX, PLAN_ACTIONS, SECRET_NAME, SECRET_STATES } from '@plugin-config/domain/vocabulary';
import { counts, integer, natural } from './integer.ts';
import { json, jsonObject } from './json.ts';
import { boundedMap } from './bounded-map.ts';
import { familyName } from './family.ts';
import { conflict, managerName, recordKey } from './ownership.ts';
import { pluginRef, writableTexts } from './record-fields.ts';
import { versionName } from './plugin-version.ts';
import { responseText, uuid } from './response-text.ts';
import { STORABLE, text } from './text.ts';

const SECRET_MAX = 256 * 1024;
const BASE_MAX = 200;
const PATH_MAX = 64 * 1024;
const CHANGES_MAX = 1_000_000;
/** The maximum size of the body of a plan or an apply. */
export const DOCUMENT_MAX_BYTES = 2 * 1024 * 1024;

const declaredRecord = z.strictObject({
  key: recordKey,
  plugin: pluginRef,
  plugin_version: versionName.nullish().meta({
    description:
      'Pins the record to this version. The configuration has the schema of that version. Null unpins the record.',
  }),
  enabled: z.boolean().optional(),
  ...writableTexts,
  config: jsonObject.optional().meta({
    description:
      'Entries of the configuration. `{"$secret": NAME}` refers to a secret, and null clears the entry. Applied by the manager `import`, a secret may also have its value.',
  }),
  prevent_destroy: z
    .boolean()
    .optional()
    .meta({ description: 'If true, an apply that would delete the record is rejected.' }),
});

const declaredRecords = z.array(declaredRecord).max(DECLARED_MAX).optional().meta({
  description:
    'The records in order. If absent, the family is not changed. If empty, the manager is to own no records in it.',
});

const warnings = z
  .array(z.object({ attr: responseText(PATH_MAX), detail: responseText(PATH_MAX) }))
  .meta({ maxItems: CHANGES_MAX });

export const document = z
  .strictObject({
    format: z.literal(1),
    manager: managerName,
    plugin_configs: declaredRecords,
    pipeline_transformation_configs: declaredRecords,
    warnings: warnings
      .optional()
      .meta({ description: 'Lists what an export left out. Absent if it is complete; ignored in requests.' }),
  })
  .meta({
    id: 'Document',
    description:
      'The desired state of the records of a manager. A field that is absent is not managed; null clears it.',
  });

const secrets = boundedMap(z.string().regex(SECRET_NAME), text(SECRET_MAX), DECLARED_MAX)
  .optional()
  .meta({
    propertyNames: { type: 'string', pattern: SECRET_NAME.source, maxLength: 200 },
    additionalProperties: { type: 'string', maxLength: SECRET_MAX, pattern: STORABLE },
    description:
      'Secret values by the names used in the document. Sending any requires the scope `plugin:write`.',
  });

export const planBody = z
  .strictObject({ document, secrets })
  .meta({ id: 'PlanDocument', description: 'A document and the values of the secrets that it refers to.' });

const base = z
  .string()
  .max(BASE_MAX)
  .meta({ pattern: String.raw`^[\x20-\x7e]*$`, description: 'The versions of what the plan has read.' });

export const applyBody = z
  .strictObject({
    document,
    secrets,
    base: base.optional().meta({ description: 'That of the plan. Only the manager `import` needs none.' }),
    max_deletes: integer({ min: 0, max: DECLARED_MAX })
      .default(0)
      .meta({ description: 'An apply that would delete more records than this is rejected.' }),
  })
  .meta({
    id: 'ApplyDocument',
    description: 'The planned document, with the base of the plan.',
  });

const FIELDS_MAX = 100_000;

export const plannedChange = z
  .object({
    action: z.enum(PLAN_ACTIONS),
    family: familyName,
    key: recordKey,
    id: natural().nullable().meta({ description: 'Null if the record does not exist yet.' }),
    fields: z
      .array(
        z.object({
          field: responseText(PATH_MAX),
          before: json.optional(),
          after: json.optional(),
          secret: z.enum(SECRET_STATES).optional().meta({
            description:
              'Replaces the values of a secret. `unknown` means that its value was neither sent nor stored.',
          }),
        }),
      )
      .meta({
        maxItems: FIELDS_MAX,
        description:
          'The response to an apply omits configuration values, because it is stored for repeated requests.',
      }),
  })
  .meta({ id: 'PlannedChange', description: 'The changes to one record, field by field.' });

const summary = counts(PLAN_ACTIONS).meta({
  id: 'PlanSummary',
  description: 'Number of changed records by action.',
});

const changes = z.array(plannedChange).meta({ maxItems: CHANGES_MAX });

export const plan = z
  .object({
    base,
    summary,
    changes,
    conflicts: z.array(conflict).meta({
      maxItems: CHANGES_MAX,
      description: 'Records with `prevent_destroy` that the document would delete.',
    }),
    warnings,
  })
  .meta({ id: 'Plan', description: 'The changes that applying a document would make now.' });

export const applied = z
  .object({
    apply_id: uuid.meta({ description: 'Also recorded in the history of each changed record.' }),
    summary,
    changes,
    base,
  })
  .meta({ id: 'Applied', description: 'The changes that an apply made, and the base of the next plan.' });

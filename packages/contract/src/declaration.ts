import * as z from 'zod';
import { integer, natural } from './integer.ts';
import { json, jsonObject } from './json.ts';
import { keyed } from './keyed.ts';
import { conflict, DOCUMENT_MAX, familyName, managerName, recordKey } from './ownership.ts';
import { DESCRIPTION_MAX, NAME_MAX, plugin } from './record-fields.ts';
import { shownText, uuid } from './shown-text.ts';
import { STORABLE, text } from './text.ts';

const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
const SECRET_MAX = 256 * 1024;
const BASE_MAX = 200;
const DIGEST_MAX = 100;
const PLACE_MAX = 64 * 1024;
const CHANGES_MAX = 1_000_000;
/** The most bytes of a plan's or an apply's body. */
export const DOCUMENT_MAX_BYTES = 8 * 1024 * 1024;

const declaredRecord = z.strictObject({
  key: recordKey,
  plugin,
  enabled: z.boolean().optional(),
  name: text(NAME_MAX).nullable().optional(),
  description: text(DESCRIPTION_MAX).nullable().optional(),
  config: jsonObject.optional().meta({
    description:
      'Entries of the configuration. `{"$secret": NAME}` refers to a secret, `{"$literal": value}` is the value itself, null clears.',
  }),
  prevent_destroy: z
    .boolean()
    .optional()
    .meta({ description: 'Rejects every apply that would delete the record.' }),
  moved_from: recordKey.optional().meta({ description: 'The key that the record had so far.' }),
});

const declaredRecords = z.array(declaredRecord).max(DOCUMENT_MAX).optional().meta({
  maxItems: DOCUMENT_MAX,
  description:
    'The records, in their order. Absent: the family stays as it is. Empty: the manager owns none.',
});

const warnings = z
  .array(z.object({ attr: shownText(PLACE_MAX), detail: shownText(PLACE_MAX) }))
  .meta({ maxItems: CHANGES_MAX });

/** What a manager wants its records to be. What is absent is not managed. */
export const document = z
  .strictObject({
    format: z.literal(1),
    manager: managerName,
    plugin_configs: declaredRecords,
    pipeline_transformation_configs: declaredRecords,
    warnings: warnings
      .optional()
      .meta({ description: 'What an export has left out. Present only if it has; ignored in requests.' }),
  })
  .meta({
    id: 'Document',
    description:
      'What a manager wants its records to be. A field that is absent is not managed, null clears it.',
    examples: [
      {
        format: 1,
        manager: 'checkout-team',
        plugin_configs: [
          {
            key: 'geoip',
            plugin: 3,
            enabled: true,
            config: { database: 'city', token: { $secret: 'GEOIP_TOKEN' } },
          },
        ],
      },
    ],
  });

const secrets = keyed(z.string().regex(SECRET_NAME), text(SECRET_MAX), DOCUMENT_MAX)
  .optional()
  .meta({
    propertyNames: { type: 'string', pattern: SECRET_NAME.source, maxLength: 200 },
    additionalProperties: { type: 'string', maxLength: SECRET_MAX, pattern: STORABLE },
    description: 'The values of secrets, by the names that the document refers to. They need `plugin:write`.',
  });

export const planBody = z
  .strictObject({ document, secrets })
  .meta({ id: 'PlanDocument', description: 'A document, and the values of the secrets that it refers to.' });

const base = z
  .string()
  .max(BASE_MAX)
  .meta({
    maxLength: BASE_MAX,
    pattern: String.raw`^[\x20-\x7e]*$`,
    description: 'The state that the plan was made of.',
  });
const digest = z
  .string()
  .max(DIGEST_MAX)
  .meta({
    maxLength: DIGEST_MAX,
    pattern: String.raw`^[\x20-\x7e]*$`,
    description: 'Names the plan.',
  });

export const applyBody = z
  .strictObject({
    document,
    secrets,
    base,
    digest,
    max_deletes: integer({ min: 0, max: DOCUMENT_MAX })
      .default(0)
      .meta({ description: 'More deletions are rejected.' }),
  })
  .meta({ id: 'ApplyDocument', description: 'What was planned, with the base and the digest of the plan.' });

const ACTIONS = ['create', 'update', 'delete', 'restore', 'move'] as const;
const STATES = ['set', 'changed', 'unchanged', 'cleared', 'unknown'] as const;
const FIELDS_MAX = 100_000;

const change = z
  .object({
    action: z.enum(ACTIONS),
    family: familyName,
    key: recordKey,
    id: natural().nullable().meta({ description: 'Null if the record is not created yet.' }),
    fields: z
      .array(
        z.object({
          field: shownText(PLACE_MAX),
          before: json.optional(),
          after: json.optional(),
          secret: z.enum(STATES).optional().meta({
            description:
              'In place of the values of a secret. `unknown`: it has no value, neither sent nor stored.',
          }),
        }),
      )
      .meta({
        maxItems: FIELDS_MAX,
        description:
          'The answer to an apply has no values of the configuration: it is kept for those who repeat the request.',
      }),
  })
  .meta({ id: 'PlannedChange', description: 'What becomes of one record, field by field.' });

const summary = z
  .object({ create: natural(), update: natural(), delete: natural(), restore: natural(), move: natural() })
  .meta({ id: 'PlanSummary', description: 'How many records change, and how.' });

const changes = z.array(change).meta({ maxItems: CHANGES_MAX });

export const plan = z
  .object({
    base,
    digest,
    summary,
    changes,
    conflicts: z.array(conflict).meta({
      maxItems: CHANGES_MAX,
      description: 'Records with `prevent_destroy` that the document would delete.',
    }),
    warnings,
  })
  .meta({ id: 'Plan', description: 'What applying a document would change now.' });

export const applied = z
  .object({
    apply_id: uuid.meta({ description: 'The histories of the changed records have it, too.' }),
    summary,
    changes,
    base,
  })
  .meta({ id: 'Applied', description: 'What an apply has changed, and the base of the next plan.' });

export type WireDocument = z.output<typeof document>;
export type WirePlan = z.output<typeof plan>;
export type WireApplied = z.output<typeof applied>;

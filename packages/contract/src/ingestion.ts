import * as z from 'zod';
import { FAILED_DELIVERIES_MAX, INTEGER_MAX } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { LOG_WORD } from './log-list-query.ts';

const id = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const timestamp = z.iso.datetime({ offset: true });
const word = z.string().regex(LOG_WORD);
const typeWord = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,31}$/);
const total = integer({ min: 0, max: INTEGER_MAX });

/** A log entry as sent: a line of NDJSON or a message of a stream. */
export const logEntryMessage = z
  .object({
    id: z.guid().optional(),
    team_id: id.optional(),
    plugin_id: id.optional(),
    plugin_config_id: id,
    timestamp: timestamp.optional(),
    source: word.optional().meta({ description: 'Defaults to `PLUGIN`.' }),
    type: typeWord.optional().meta({
      description:
        'Defaults to `LOG`. Stored in upper case: `WARNING` as `WARN`, `CRITICAL` and `FATAL` as `ERROR`.',
    }),
    message: z.string().meta({ description: 'Truncated to 50,000 characters.' }),
    instance_id: z.guid().optional(),
  })
  .meta({
    id: 'LogEntryMessage',
    description: 'A log entry. Only `plugin_config_id` and `message` are required.',
  });

const shortText = z
  .string()
  .min(1)
  .max(FAILED_DELIVERIES_MAX.textBytes)
  .meta({ description: `At most ${FAILED_DELIVERIES_MAX.textBytes} bytes of UTF-8.` });

export const deliveryMessage = z
  .object({
    kind: z.literal('delivery'),
    id: z.guid(),
    plugin_config_id: id,
    successes: total,
    successes_on_retry: total,
    failures: total,
    failed: z
      .array(z.object({ ref: shortText, reason: shortText }))
      .max(FAILED_DELIVERIES_MAX.perReport)
      .optional()
      .meta({ description: 'What failed: references by which the plugin can replay it, and reasons.' }),
    timestamp: timestamp.optional(),
  })
  .meta({
    id: 'DeliveryMessage',
    description: 'The number of deliveries since the last report. Each `id` counts once per record.',
  });

export const errorMessage = z
  .object({
    kind: z.literal('error'),
    plugin_config_id: id,
    error: z.string().nullable(),
    timestamp: timestamp.optional(),
  })
  .meta({ id: 'ErrorMessage', description: 'The last error of a plugin config; null clears it.' });

const ERRORS_MAX = 100;

const lineError = z
  .object({
    line: natural().meta({ description: 'Number of the line, from 1, without blank lines.' }),
    reason: z.string().meta({ description: 'Why it became a dead letter, as a code.' }),
    detail: z.string().meta({ description: 'The reason as a sentence.' }),
  })
  .meta({ id: 'LineError', description: 'A line of a push that became a dead letter.' });

/** The response to a push, sent after the commit. */
export const ingestReport = z
  .object({
    stored: natural(),
    duplicates: natural(),
    dead: natural(),
    errors: z
      .array(lineError)
      .max(ERRORS_MAX)
      .optional()
      .meta({
        description: `The first ${ERRORS_MAX} lines that became dead letters. Absent if there are none.`,
      }),
  })
  .meta({
    id: 'IngestReport',
    description: 'Number of messages by outcome.',
    examples: [
      {
        stored: 98,
        duplicates: 1,
        dead: 1,
        errors: [{ line: 7, reason: 'not_json', detail: 'The message is not JSON.' }],
      },
    ],
  });

export type WireIngestReport = z.infer<typeof ingestReport>;

import * as z from 'zod';
import { INTEGER_MAX } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { LOG_WORD } from './log-list-query.ts';

const id = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const timestamp = z.iso.datetime({ offset: true });
const word = z.string().regex(LOG_WORD);
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
    type: word.optional().meta({ description: 'Defaults to `LOG`.' }),
    message: z.string().meta({ description: 'Truncated to 50,000 characters.' }),
    instance_id: z.guid().optional(),
  })
  .meta({
    id: 'LogEntryMessage',
    description: 'A log entry. Only `plugin_config_id` and `message` are required.',
  });

export const deliveryMessage = z
  .object({
    kind: z.literal('delivery'),
    id: z.guid(),
    plugin_config_id: id,
    successes: total,
    successes_on_retry: total,
    failures: total,
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

/** The response to a push, sent after the commit. */
export const ingestReport = z.object({ stored: natural(), duplicates: natural(), dead: natural() }).meta({
  id: 'IngestReport',
  description: 'Number of messages by outcome.',
  examples: [{ stored: 98, duplicates: 2, dead: 0 }],
});

export type WireIngestReport = z.infer<typeof ingestReport>;

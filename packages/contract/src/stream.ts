import * as z from 'zod';
import { RESET_REASONS } from '@plugin-config/domain/vocabulary';
import { natural } from './integer.ts';
import { RAW_TEXT, orNull, parameter } from './parameter.ts';

/** Why the service ends a stream. */
export const END_REASONS = [
  'shutdown',
  'key_revoked',
  'key_expired',
  'project_deleted',
  'slow_reader',
  'error',
] as const;

export const streamReset = z.object({ reason: z.enum(RESET_REASONS) }).meta({
  id: 'StreamReset',
  description:
    'The stream cannot resume from your last event, or the registration of a plugin has changed what the records show. Read everything again; the stream continues from the id of this event.',
});

const streamEnd = z.object({ reason: z.enum(END_REASONS) }).meta({
  id: 'StreamEnd',
  description:
    'The last event of a stream that the service ends. Reconnect with the id of your last event, unless the key is no longer valid. The end of a session is reported like that of its key.',
});

/** The events that every stream can send. */
export const COMMON_EVENTS = { reset: streamReset, end: streamEnd };

export type WireReset = z.infer<typeof streamReset>;
export type WireEnd = z.infer<typeof streamEnd>;

/** The format of the ids that the service sends. It responds to any other text with `reset`. */
const EVENT_ID = { pattern: '^[!-~]*$', maxLength: 255 };

export const lastEventId = z
  .string()
  .optional()
  .meta({
    ...EVENT_ID,
    param: { id: 'Last-Event-ID' },
    description: 'Id of the last event that you received. The stream continues after it.',
    examples: ['5f3a9c1e.108'],
  });

/** The headers of every stream, in addition to `commonHeaders`. */
export const streamHeaders = {
  'x-accel-buffering': z.literal('no').meta({
    header: { id: 'X-Accel-Buffering' },
    description: 'Makes proxies forward each event immediately.',
    examples: ['no'],
  }),
};

/** The parameter of every stream. Its value is opaque, so an invalid one causes a `reset` event instead of an error. */
export const streamParameters = {
  last_event_id: parameter(orNull(z.string().meta(EVENT_ID)), RAW_TEXT).meta({
    description:
      'Id of the last event that you received, for clients that cannot set the header `Last-Event-ID`, which takes precedence.',
  }),
};

export const streamQuery = z.object(streamParameters);

export const recordEvent = z.object({ id: natural(), version: natural(), deleted: z.boolean() }).meta({
  id: 'RecordEvent',
  description: 'The record may have changed.',
  examples: [{ id: 42, version: 7, deleted: false }],
});

export const orderEvent = z
  .object({})
  .meta({ id: 'OrderEvent', description: 'The records of the family were rearranged.' });

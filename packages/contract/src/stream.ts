import * as z from 'zod';
import { natural } from './integer.ts';
import { AS_IT_IS, orNull, parameter } from './parameter.ts';

/** Why the service ends a stream. */
export const END_REASONS = ['shutdown', 'key_revoked', 'key_expired', 'slow_reader', 'error'] as const;

/** Why a stream cannot resume. */
const RESET_REASONS = ['malformed_cursor', 'unknown_cursor', 'plugin_changed'] as const;

/** The events of every stream, beside its own. */
export const COMMON_EVENTS = {
  reset: z.object({ reason: z.enum(RESET_REASONS) }).meta({
    id: 'StreamReset',
    description:
      'The cursor is of no use here, or the registration of a plugin changed what records show: read everything again. The stream goes on from now, with the id of this event.',
  }),
  end: z.object({ reason: z.enum(END_REASONS) }).meta({
    id: 'StreamEnd',
    description:
      'The last event of a stream that the service ends. Connect again with the last id, unless the key is no longer valid; a session ends as its key does.',
  }),
};

export type WireReset = z.infer<(typeof COMMON_EVENTS)['reset']>;
export type WireEnd = z.infer<(typeof COMMON_EVENTS)['end']>;

/** The form of every id that the service sends. Another text is answered by `reset`. */
const EVENT_ID = { pattern: '^[!-~]*$', maxLength: 255 };

export const lastEventId = z
  .string()
  .optional()
  .meta({
    ...EVENT_ID,
    param: { id: 'Last-Event-ID' },
    description: 'The id of the last event that you have: the stream goes on after it.',
    examples: ['5f3a9c1e.108'],
  });

/** The headers of every stream, beside those of every answer. */
export const streamHeaders = {
  'x-accel-buffering': z.literal('no').meta({
    header: { id: 'X-Accel-Buffering' },
    description: 'Tells a proxy to pass each event on at once.',
    examples: ['no'],
  }),
};

/** The parameter of every stream. Its value is opaque, so a wrong one is answered by an event, not by an error. */
export const streamParameters = {
  last_event_id: parameter(orNull(z.string().meta(EVENT_ID)), AS_IT_IS).meta({
    description:
      'The id of the last event that you have: the stream goes on after it. For clients that cannot set the header `Last-Event-ID`, which wins.',
  }),
};

export const streamQuery = z.object(streamParameters);

export const recordEvent = z.object({ id: natural(), version: natural(), deleted: z.boolean() }).meta({
  id: 'RecordEvent',
  description: 'The answer of this record may have changed.',
  examples: [{ id: 42, version: 7, deleted: false }],
});

export const orderEvent = z
  .object({})
  .meta({ id: 'OrderEvent', description: 'The records of the family were rearranged.' });

export type WireRecordEvent = z.infer<typeof recordEvent>;

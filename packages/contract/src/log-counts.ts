import * as z from 'zod';
import { BUCKETS_MAX } from './delivery.ts';
import { natural } from './integer.ts';
import { afterParameter, beforeParameter, moment } from './moment.ts';
import { AS_IT_IS, orNull, parameter } from './parameter.ts';

const WIDTHS = ['hour', 'day'] as const;
const KNOWN_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const;
const KNOWN_SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE'] as const;

const TYPE_EXPECTED = `Only known types are counted by themselves: ${KNOWN_TYPES.join(', ')}.`;
const TYPES_MAX = 1000;

/** Accepts the parameter several times. */
const typeFilter = z
  .preprocess(
    (sent, ctx) => {
      const types = [sent ?? []].flat().filter((type) => type !== '');
      if (!types.every((type) => KNOWN_TYPES.some((known) => known === type))) ctx.addIssue(TYPE_EXPECTED);
      return types;
    },
    z.array(z.enum(KNOWN_TYPES)).default([]),
  )
  .meta({ maxItems: TYPES_MAX, description: 'Only entries of this type; may be repeated.' });

export const logCountsQuery = z
  .object({
    from: afterParameter.meta({
      description:
        'From the bucket that contains this time: a day before `to` unless given. A date or a date-time in ISO 8601; without an offset it is UTC.',
    }),
    to: beforeParameter.meta({
      description:
        'Up to the bucket that contains the moment before: now unless given. A date or a date-time in ISO 8601; without an offset it is UTC.',
    }),
    granularity: parameter(z.enum(WIDTHS).default('hour'), AS_IT_IS).meta({
      description: 'The width of the buckets, in UTC.',
    }),
    type_filter: typeFilter,
    source: parameter(orNull(z.enum(KNOWN_SOURCES)), AS_IT_IS).meta({
      description: 'Only entries of this source.',
    }),
  })
  .transform(({ type_filter: types, ...query }) => ({ ...query, types }));

const logCount = z
  .object({
    start: moment,
    count: natural(),
    types: z.partialRecord(z.enum([...KNOWN_TYPES, 'other']), natural()).meta({
      description: 'By type, without types that have no entries. `other` has all types that are not known.',
    }),
  })
  .meta({
    id: 'LogCount',
    description: 'The number of entries of an hour or a day.',
    examples: [{ start: '2026-03-01T09:00:00.000Z', count: 120, types: { INFO: 117, ERROR: 2, other: 1 } }],
  });

export const logCounts = z
  .object({ results: z.array(logCount).meta({ maxItems: BUCKETS_MAX }) })
  .meta({ id: 'LogCounts', description: 'The buckets with entries, oldest first.' });

export type WireLogCounts = z.infer<typeof logCounts>;

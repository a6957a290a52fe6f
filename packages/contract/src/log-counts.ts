import * as z from 'zod';
import {
  BUCKETS_MAX,
  LOG_GRANULARITIES,
  LOG_SOURCES,
  LOG_TYPES,
  OTHER_TYPE,
} from '@plugin-config/domain/vocabulary';
import { natural } from './integer.ts';
import { afterParameter, beforeParameter, moment, MOMENT_FORMAT } from './moment.ts';
import { RAW_TEXT, orNull, parameter, repeatedParameter } from './parameter.ts';

const TYPE_EXPECTED = `Only these types can be counted separately: ${LOG_TYPES.join(', ')}.`;

export const logCountsQuery = z
  .object({
    from: afterParameter.meta({
      description: `Starts with the bucket that contains this time. Defaults to one day before \`to\`. ${MOMENT_FORMAT}`,
    }),
    to: beforeParameter.meta({
      description: `Only buckets that start before this time. Defaults to now. ${MOMENT_FORMAT}`,
    }),
    granularity: parameter(z.enum(LOG_GRANULARITIES).default('hour'), RAW_TEXT).meta({
      description: 'Width of the buckets, which are aligned to UTC.',
    }),
    type_filter: repeatedParameter(z.enum(LOG_TYPES), TYPE_EXPECTED).meta({
      description: 'Only entries of this type. May be given more than once.',
    }),
    source: parameter(orNull(z.enum(LOG_SOURCES)), RAW_TEXT).meta({
      description: 'Only entries of this source.',
    }),
  })
  .transform(({ type_filter: types, ...query }) => ({ ...query, types }));

export const logCount = z
  .object({
    start: moment,
    count: natural(),
    types: z.partialRecord(z.enum([...LOG_TYPES, OTHER_TYPE]), natural()).meta({
      description:
        'Entries by type, without types that have none. `other` counts all types that are not listed here.',
      examples: [{ INFO: 117, ERROR: 2, other: 1 }],
    }),
  })
  .meta({
    id: 'LogCount',
    description: 'The number of entries in one hour or day.',
  });

export const logCounts = z
  .object({ results: z.array(logCount).meta({ maxItems: BUCKETS_MAX }) })
  .meta({ id: 'LogCounts', description: 'The buckets with entries, oldest first.' });

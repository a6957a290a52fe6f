import * as z from 'zod';
import { BUCKETS_MAX, FAILED_DELIVERIES_MAX, GRANULARITIES } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { beforeParameter, moment, MOMENT_FORMAT } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { digits, ID, orNull, parameter, RAW_TEXT, repeatedParameter } from './parameter.ts';
import { responseText } from './response-text.ts';
import { text } from './text.ts';

/** Buckets start at whole milliseconds, so both bounds are rounded up. */
const bound = beforeParameter;

export const deliveryQuery = z.object({
  from: bound.meta({
    description: `Only buckets that start at or after this time. Defaults to one day before \`to\`. ${MOMENT_FORMAT}`,
  }),
  to: bound.meta({
    description: `Only buckets that start before this time. Defaults to now. ${MOMENT_FORMAT}`,
  }),
  granularity: parameter(z.enum(GRANULARITIES).default('hour'), RAW_TEXT).meta({
    description: 'Width of the buckets, which are aligned to UTC.',
  }),
});

export const deliveryBucket = z
  .object({
    start: moment,
    successes: natural(),
    successes_on_retry: natural(),
    failures: natural(),
    complete: z.boolean().meta({
      description: 'True once the bucket has ended. Late reports can still change it.',
    }),
  })
  .meta({
    id: 'DeliveryBucket',
    description: 'The deliveries reported for five minutes, an hour or a day.',
  });

export const deliverySeries = z
  .object({ results: z.array(deliveryBucket).meta({ maxItems: BUCKETS_MAX }) })
  .meta({ id: 'DeliverySeries', description: 'The buckets with reports, oldest first.' });

export const failedDeliveryQuery = z.object({
  ...pageParameters,
  reason: parameter(orNull(text(FAILED_DELIVERIES_MAX.textBytes)), RAW_TEXT).meta({
    description: 'Only failures with this reason.',
  }),
  from: bound.meta({ description: `Only failures at or after this time. ${MOMENT_FORMAT}` }),
  to: bound.meta({ description: `Only failures before this time. ${MOMENT_FORMAT}` }),
});

export const failedDelivery = z
  .object({
    ref: responseText(FAILED_DELIVERIES_MAX.textBytes).meta({
      description: 'What the plugin finds the delivery by.',
      examples: ['event-7'],
    }),
    reason: responseText(FAILED_DELIVERIES_MAX.textBytes).meta({ examples: ['timeout'] }),
    at: moment.meta({ description: 'The `timestamp` of the report.' }),
  })
  .meta({
    id: 'FailedDelivery',
    description: 'A delivery that a plugin reported as failed.',
  });

export const failedDeliveryPage = pageOf('FailedDeliveryPage', failedDelivery);

const HOURS = 24;
const RECORDS_MAX = 100;

export const recentDeliveriesQuery = z
  .object({
    record: repeatedParameter(parameter(integer(ID), digits(ID)), digits(ID).expected, RECORDS_MAX).meta({
      description: 'Identifier of a record. May be given up to 100 times.',
    }),
  })
  .transform(({ record: recordIds }) => ({ recordIds }));

const hourly = z.array(natural()).meta({ minItems: HOURS, maxItems: HOURS });

export const recentDeliveries = z
  .object({
    start: moment.meta({ description: 'Start of the first hour. Hours are aligned to UTC.' }),
    results: z
      .array(
        z.object({
          record: natural().meta({ description: 'Identifier of the record.' }),
          successes: hourly.meta({ description: 'By hour, oldest first. Includes successes on retry.' }),
          failures: hourly.meta({ description: 'By hour, oldest first.' }),
        }),
      )
      .meta({ maxItems: RECORDS_MAX }),
  })
  .meta({
    id: 'RecentDeliveries',
    description: 'The deliveries of each of the last 24 hours, including the current one.',
  });

import * as z from 'zod';
import { natural } from './integer.ts';
import { beforeParameter, moment } from './moment.ts';
import { AS_IT_IS, parameter } from './parameter.ts';

export const BUCKETS_MAX = 1500;
const WIDTHS = ['minute', 'hour', 'day'] as const;

/** Buckets start at whole milliseconds, so a finer bound is rounded up on either side. */
const bound = beforeParameter;

export const deliveryQuery = z.object({
  from: bound.meta({
    description:
      'Only buckets that start then or later: a day before `to` unless given. A date or a date-time in ISO 8601; without an offset it is UTC.',
  }),
  to: bound.meta({
    description:
      'Only buckets that start before: now unless given. A date or a date-time in ISO 8601; without an offset it is UTC.',
  }),
  granularity: parameter(z.enum(WIDTHS).default('hour'), AS_IT_IS).meta({
    description: 'The width of the buckets, in UTC. Minutes are kept for the last 24 hours.',
  }),
});

const deliveryBucket = z
  .object({
    start: moment,
    successes: natural(),
    successes_on_retry: natural(),
    failures: natural(),
    complete: z.boolean().meta({
      description: 'False while the time of the bucket is not over. Late reports change any bucket.',
    }),
  })
  .meta({
    id: 'DeliveryBucket',
    description: 'The deliveries that were reported for a minute, an hour or a day.',
    examples: [
      {
        start: '2026-03-01T09:00:00.000Z',
        successes: 95,
        successes_on_retry: 4,
        failures: 1,
        complete: true,
      },
    ],
  });

export const deliverySeries = z
  .object({ results: z.array(deliveryBucket).meta({ maxItems: BUCKETS_MAX }) })
  .meta({ id: 'DeliverySeries', description: 'The buckets with reports, oldest first.' });

export type WireDeliveryBucket = z.infer<typeof deliveryBucket>;
export type WireDeliverySeries = z.infer<typeof deliverySeries>;

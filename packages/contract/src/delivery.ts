import * as z from 'zod';
import { natural } from './integer.ts';
import { beforeParameter, moment, MOMENT_FORMAT } from './moment.ts';
import { RAW_TEXT, parameter } from './parameter.ts';

export const BUCKETS_MAX = 1500;
const WIDTHS = ['minute', 'hour', 'day'] as const;

/** Buckets start at whole milliseconds, so both bounds are rounded up. */
const bound = beforeParameter;

export const deliveryQuery = z.object({
  from: bound.meta({
    description: `Only buckets that start at or after this time. Defaults to one day before \`to\`. ${MOMENT_FORMAT}`,
  }),
  to: bound.meta({
    description: `Only buckets that start before this time. Defaults to now. ${MOMENT_FORMAT}`,
  }),
  granularity: parameter(z.enum(WIDTHS).default('hour'), RAW_TEXT).meta({
    description: 'Width of the buckets, which are aligned to UTC. Minutes are kept for the last 24 hours.',
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
    description: 'The deliveries reported for one minute, hour or day.',
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
export type WireDeliverySeries = z.infer<typeof deliverySeries>;

import * as z from 'zod';
import { natural } from './integer.ts';

const DAYS = 31;

/** The daily limits of the logs of a project; null means no limit. */
export const logQuota = z.object({
  entries_per_day: natural().nullable(),
  bytes_per_day: natural().nullable().meta({ description: 'Size of the messages of the entries, in UTF-8.' }),
});

const dayOfUsage = z
  .object({
    day: z.iso
      .date()
      .meta({ maxLength: 10, description: 'The day on which the entries were received, in UTC.' }),
    entries: natural().meta({ description: 'Number of stored entries, without duplicates.' }),
    bytes: natural().meta({ description: 'Size of their messages, in UTF-8.' }),
    over_quota: natural().meta({
      description:
        'Number of entries rejected because of the quota. Entries of a rejected push count each time it is sent.',
    }),
  })
  .meta({ id: 'DayOfUsage', description: 'The log usage of a project on one day.' });

export const usage = z.object({ quota: logQuota, days: z.array(dayOfUsage).max(DAYS) }).meta({
  id: 'Usage',
  description: 'The log quota of a project, and its usage for today and the previous 30 days, newest first.',
  examples: [
    {
      quota: { entries_per_day: 1_000_000, bytes_per_day: null },
      days: [{ day: '2026-03-01', entries: 4711, bytes: 230_113, over_quota: 0 }],
    },
  ],
});

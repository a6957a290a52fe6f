import * as z from 'zod';
import { natural } from './integer.ts';

const DAYS = 31;

/** What a project may bring into its logs in a day; null where there is no limit. */
export const logQuota = z.object({
  entries_per_day: natural().nullable(),
  bytes_per_day: natural().nullable().meta({ description: 'Of the messages of the entries, in UTF-8.' }),
});

const dayOfUsage = z
  .object({
    day: z.iso.date().meta({ maxLength: 10, description: 'In UTC: that of the arrival of the entries.' }),
    entries: natural().meta({ description: 'Those that were stored. Duplicates do not count.' }),
    bytes: natural().meta({ description: 'Of their messages, in UTF-8.' }),
    over_quota: natural().meta({
      description:
        'Entries that the quota had no room for. Those of a rejected push count each time that it is sent.',
    }),
  })
  .meta({ id: 'DayOfUsage', description: 'What a project brought into its logs on a day.' });

export const usage = z.object({ quota: logQuota, days: z.array(dayOfUsage).max(DAYS) }).meta({
  id: 'Usage',
  description:
    'The quota of the logs of a project, and what it has used: today and the 30 days before, newest first.',
  examples: [
    {
      quota: { entries_per_day: 1_000_000, bytes_per_day: null },
      days: [{ day: '2026-03-01', entries: 4711, bytes: 230_113, over_quota: 0 }],
    },
  ],
});

export type WireUsage = z.infer<typeof usage>;

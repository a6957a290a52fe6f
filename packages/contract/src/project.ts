import * as z from 'zod';
import { integer, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { filledText } from './text.ts';
import { shownText } from './shown-text.ts';
import { logQuota } from './usage.ts';

const NAME_MAX = 200;

export const project = z
  .object({
    id: natural(),
    name: shownText(NAME_MAX),
    created_at: moment,
    log_quota: logQuota.nullable().meta({
      description:
        "The project's own daily quota of its logs. Null, and each null in it: the setting of the service.",
    }),
  })
  .meta({
    id: 'Project',
    description: 'Owns config records.',
    examples: [
      {
        id: 1,
        name: 'Default project',
        created_at: '2026-03-01T09:30:00.000Z',
        log_quota: { entries_per_day: 1_000_000, bytes_per_day: null },
      },
    ],
  });

export const projectBody = z
  .object({ name: filledText(NAME_MAX) })
  .meta({ id: 'WriteProject', description: 'The name of a project.' });

const limit = integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).nullish();

export const projectChange = z
  .object({
    name: filledText(NAME_MAX).optional(),
    log_quota: z.object({ entries_per_day: limit, bytes_per_day: limit }).nullish().meta({
      description:
        'Replaces the quota as a whole. Null, and each member that is null or absent: the setting of the service.',
    }),
  })
  .meta({ id: 'ProjectChange', description: 'What changes of a project.' });

export const projectPage = pageOf('ProjectPage', project);

export type WireProject = z.infer<typeof project>;
export type WireProjectPage = z.infer<typeof projectPage>;

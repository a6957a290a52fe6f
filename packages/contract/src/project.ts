import * as z from 'zod';
import { LABEL_MAX } from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { integer, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { filledText } from './text.ts';
import { responseText } from './response-text.ts';
import { logQuota } from './usage.ts';

export const project = z
  .object({
    id: natural(),
    name: responseText(LABEL_MAX),
    created_at: moment,
    log_quota: logQuota.nullable().meta({
      description:
        'Daily quota for the logs of the project. If it, or a limit in it, is null, the setting of the service applies.',
    }),
  })
  .meta({
    id: 'Project',
    description: 'A project, which contains config records.',
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
  .object({ name: filledText(LABEL_MAX) })
  .meta({ id: 'WriteProject', description: 'The name of a project.' });

export const projectDeletion = z
  .object({
    name: filledText(LABEL_MAX).meta({ description: 'The current name of the project, as a confirmation.' }),
  })
  .meta({ id: 'ProjectDeletion', description: 'Confirms the deletion of a project.' });

const limit = integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).nullable().default(null);

const toQuota = camelCased({});

export const projectChange = z
  .object({
    name: filledText(LABEL_MAX).optional(),
    log_quota: z
      .object({ entries_per_day: limit, bytes_per_day: limit })
      .transform((quota) => toQuota(quota))
      .nullish()
      .meta({
        description:
          'Replaces the whole quota. If it, or a limit in it, is null or absent, the setting of the service applies.',
      }),
  })
  .meta({ id: 'ProjectChange', description: 'The fields of the project to change.' });

export const projectPage = pageOf('ProjectPage', project);

export type WireProject = z.infer<typeof project>;
export type WireProjectPage = z.infer<typeof projectPage>;

import * as z from 'zod';
import { ERASED_KINDS, ERASURE_STATES } from '@plugin-config/domain/vocabulary';
import { counts, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';

export const erasure = z
  .object({
    project_id: natural(),
    state: z.enum(ERASURE_STATES),
    counts: counts(ERASED_KINDS).meta({ description: 'What has been removed so far.' }),
    started_at: moment,
    finished_at: moment.nullable(),
  })
  .meta({
    id: 'Erasure',
    description: 'The removal of everything that a deleted project has stored.',
    examples: [
      {
        project_id: 3,
        state: 'running',
        counts: {
          records: 200,
          revisions: 1_204,
          activity: 1_810,
          jobs: 12,
          log_entries: 250_000,
          dead_letters: 0,
          kept_responses: 4,
          runtimes: 2,
          alerts: 5,
          incidents: 31,
          webhooks: 1,
          deliveries: 64,
          keys: 3,
        },
        started_at: '2026-03-01T09:30:00.000Z',
        finished_at: null,
      },
    ],
  });

export const erasurePage = pageOf('ErasurePage', erasure);

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
  });

export const erasurePage = pageOf('ErasurePage', erasure);

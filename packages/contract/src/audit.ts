import * as z from 'zod';
import { AUDIT_ACTIONS, AUDIT_SUBJECTS } from '@plugin-config/domain/vocabulary';
import { actor, requestIdOfChange } from './activity.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf } from './page.ts';
import { responseText } from './response-text.ts';

const NAME_MAX = 400;

export const auditEntry = z
  .object({
    id: natural(),
    action: z.enum(AUDIT_ACTIONS),
    created_at: moment,
    actor,
    subject: z.object({
      type: z.enum(AUDIT_SUBJECTS),
      id: natural(),
      name: responseText(NAME_MAX).meta({
        description: 'Its name or label at the time.',
        examples: ['deploy script'],
      }),
    }),
    request_id: requestIdOfChange,
  })
  .meta({
    id: 'AuditEntry',
    description: 'An administrative change: who made it, when, and what was changed.',
  });

export const auditPage = pageOf('AuditPage', auditEntry);

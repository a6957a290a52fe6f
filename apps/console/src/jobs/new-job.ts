import type { Json, NewJob } from '@plugin-config/client';
import { parseExactly } from '../editing/exact-json.ts';

/** The form for a new job. Empty fields are not changed. */
export interface JobDraft {
  readonly kind: 'change' | 'task';
  readonly enabled: '' | 'true' | 'false';
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly payload: string;
}

export type DraftedJob = { readonly job: NewJob } | { readonly problem: string };

/** Returns the job that a form describes, or what is wrong with it. */
export function newJobOf({ kind, enabled, name, description, type, payload }: JobDraft): DraftedJob {
  if (kind === 'change') {
    return {
      job: {
        ...(enabled !== '' && { enabled: enabled === 'true' }),
        ...(name !== '' && { name }),
        ...(description !== '' && { description }),
      },
    };
  }
  if (type === '') return { problem: 'Enter a task type.' };
  if (payload.trim() === '') return { job: { job: { type } } };
  try {
    return { job: { job: { type, payload: parseExactly(payload) as Json } } };
  } catch (error) {
    return { problem: `Invalid payload: ${(error as Error).message}` };
  }
}

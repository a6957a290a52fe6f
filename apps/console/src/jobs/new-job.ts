import type { Json, NewJob } from '@plugin-config/client';
import { parseExactly } from '../editing/exact-json.ts';

/** What the form for a new job has, as texts. Empty ones are left as they are. */
export interface JobDraft {
  readonly kind: 'change' | 'task';
  readonly enabled: '' | 'true' | 'false';
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly payload: string;
}

export type DraftedJob = { readonly job: NewJob } | { readonly problem: string };

/** The job of a form, or why it is none. */
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
  if (type === '') return { problem: 'Enter the type of the task.' };
  if (payload.trim() === '') return { job: { job: { type } } };
  try {
    return { job: { job: { type, payload: parseExactly(payload) as Json } } };
  } catch (error) {
    return { problem: `The payload cannot be read: ${(error as Error).message}` };
  }
}

import type { Json, NewJob } from '@plugin-config/client';
import { parseExactly } from '../editing/exact-json.ts';

/** The form for a task of a plugin. */
export interface JobDraft {
  readonly type: string;
  /** JSON; may be empty. */
  readonly payload: string;
}

/** Returns the job that a form describes. @throws Error if the payload is not valid JSON */
export function newJobOf({ type, payload }: JobDraft): NewJob {
  if (payload.trim() === '') return { job: { type } };
  try {
    return { job: { type, payload: parseExactly(payload) as Json } };
  } catch (error) {
    throw new Error(`Invalid payload: ${(error as Error).message}.`, { cause: error });
  }
}

import type { ConfigRecord, OwnApiKey } from '@plugin-config/client';
import type { QueryClient } from '@tanstack/react-query';
import { SESSION_KEY, type SessionState } from '../session/session.ts';
import type { Drafts } from './field.ts';

/** What was typed, and on what. */
export interface Edits {
  /** The record on which the drafts were made. */
  readonly base: ConfigRecord;
  readonly drafts: Drafts;
}

/** Edits that the end of a session has interrupted, by their place. They are in memory alone. */
const interrupted = new Map<string, Edits>();

/** The form at this address, for whoever signs in again with the same key. */
export function placeOf({ id }: OwnApiKey): string {
  return `${id} ${location.pathname}`;
}

export function interruptedEdits(place: string): Edits | undefined {
  return interrupted.get(place);
}

/** Forgets all: the form that is shown has its own, and what belongs to another key is not for this one. */
export function forgetInterrupted(): void {
  interrupted.clear();
}

/** Keeps edits if the session has ended by itself. Who signs out, or leaves the form, gives them up. */
export function keepIfInterrupted(queries: QueryClient, place: string, edits: Edits): void {
  const session = queries.getQueryData<SessionState>(SESSION_KEY);
  const hasEnded = session?.key === null && session.reason !== null;
  if (hasEnded && edits.drafts.size > 0) interrupted.set(place, edits);
}

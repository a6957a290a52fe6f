import type { DeadReason } from './dead-reason.ts';
import type { DeadMessage, Origin } from './message.ts';
import { replaceUnstorable } from './storable-text.ts';

/** A message that could not be stored, kept with all that another try needs. */
export interface DeadLetter extends Omit<Origin, 'deadLetterId'> {
  readonly id: number;
  readonly reason: DeadReason;
  readonly text: string;
  /** How much of a very long text was not kept, in UTF-16 units. Without it there is no other try. */
  readonly missing: number;
}

/** Longer than any message that could be stored. */
export const DEAD_TEXT_MAX = 1_048_576;

/** What is kept of its text. */
export function keptText({ text }: Pick<DeadMessage, 'text'>): Pick<DeadLetter, 'text' | 'missing'> {
  return {
    text: replaceUnstorable(text.slice(0, DEAD_TEXT_MAX)),
    missing: Math.max(0, text.length - DEAD_TEXT_MAX),
  };
}

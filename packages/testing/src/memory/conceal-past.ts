import { concealEditions } from './editions.ts';
import { concealActivity } from './family-changes.ts';
import type { MemoryState } from './memory-state.ts';

/** Masks the values of these keys in the history and in the earlier editions of the record. */
export function concealPast(state: MemoryState, id: number, secretFields: Iterable<string>): void {
  const keys = [...secretFields];
  concealActivity(state, id, keys);
  concealEditions(state, id, keys);
}

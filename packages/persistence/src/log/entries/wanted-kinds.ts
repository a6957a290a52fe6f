import type { LogFilter } from '@plugin-config/domain';
import { isKnownSource, isKnownType, kindsOf } from './kinds.ts';

/** Null means all kinds. */
export type Kinds = readonly number[] | null;

export interface WantedKinds {
  readonly kinds: Kinds;
  /** Whether the source or a type is not predefined. Its kind also has other words, so each entry must be checked. */
  readonly isMixed: boolean;
}

/** Returns the kinds that may contain matching entries. */
export function wantedKinds({ source, types }: Pick<LogFilter, 'types' | 'source'>): WantedKinds {
  if (source === null && types.length === 0) return { kinds: null, isMixed: false };
  const isMixed = (source !== null && !isKnownSource(source)) || !types.every(isKnownType);
  return { kinds: kindsOf(source, types), isMixed };
}

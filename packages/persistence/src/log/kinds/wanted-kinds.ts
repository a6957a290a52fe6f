import type { LogFilter } from '@plugin-config/domain';
import { ANY, kindName, sharedKindName, wordsOf, type LogKinds } from './kinds.ts';

/** The indexes of the wanted kinds; null for all. */
export type KindIndexes = readonly number[] | null;

export interface WantedKinds {
  readonly kindIndexes: KindIndexes;
  /** Whether a shared kind is among them: it also contains unwanted entries, so each entry must be checked. */
  readonly isMixed: boolean;
}

type KindFilter = Pick<LogFilter, 'types' | 'source'>;

/** The indexes of the kinds that may contain matching entries. */
export function wantedKinds(kinds: LogKinds, filter: KindFilter): WantedKinds {
  if (filter.source === null && filter.types.length === 0) return { kindIndexes: null, isMixed: false };
  const known = new Set(kinds);
  const kindIndexes: number[] = [];
  let isMixed = false;
  for (const [index, name] of kinds.entries()) {
    const isAll = containsOnly(name, filter);
    if (!isAll && !mayContain(name, filter, known)) continue;
    kindIndexes.push(index);
    isMixed ||= !isAll;
  }
  return { kindIndexes: kindIndexes.length === kinds.length && !isMixed ? null : kindIndexes, isMixed };
}

/** Whether all entries of this kind match. */
function containsOnly(name: string, filter: KindFilter): boolean {
  const { source, type } = wordsOf(name);
  return (
    (filter.source === null || (source !== ANY && source === filter.source)) &&
    (filter.types.length === 0 || (type !== ANY && filter.types.includes(type)))
  );
}

/** Whether a matching entry may have this shared kind because its own kind has no index. */
function mayContain(name: string, { source, types }: KindFilter, known: ReadonlySet<string>): boolean {
  const shared = wordsOf(name);
  const wantedTypes = types.length === 0 ? [shared.type] : types;
  return wantedTypes.some((type) => {
    const kind = { source: source ?? shared.source, type };
    return !known.has(kindName(kind)) && sharedKindName(kind) === name;
  });
}

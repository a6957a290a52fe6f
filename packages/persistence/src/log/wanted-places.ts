import type { LogFilter } from '@plugin-config/domain';
import { ANY, nameOf, sharedNameOf, wordsOf, type LogKinds } from './kinds.ts';

/** Which entries are wanted, by the places of their kinds; null for all. */
export type Places = readonly number[] | null;

export interface WantedPlaces {
  readonly places: Places;
  /** Some of these are shared, and hold what is not wanted as well: there the entries say what they are. */
  readonly isMixed: boolean;
}

type KindFilter = Pick<LogFilter, 'types' | 'source'>;

/** The places where entries that fit a filter are, and no others. */
export function wantedPlaces(kinds: LogKinds, filter: KindFilter): WantedPlaces {
  if (filter.source === null && filter.types.length === 0) return { places: null, isMixed: false };
  const placed = new Set(kinds);
  const places: number[] = [];
  let isMixed = false;
  for (const [place, name] of kinds.entries()) {
    const isAll = holdsOnly(name, filter);
    if (!isAll && !mayHold(name, filter, placed)) continue;
    places.push(place);
    isMixed ||= !isAll;
  }
  return { places: places.length === kinds.length && !isMixed ? null : places, isMixed };
}

/** All entries of this kind are wanted. */
function holdsOnly(name: string, filter: KindFilter): boolean {
  const { source, type } = wordsOf(name);
  return (
    (filter.source === null || (source !== ANY && source === filter.source)) &&
    (filter.types.length === 0 || (type !== ANY && filter.types.includes(type)))
  );
}

/** Some entry of this shared kind may be wanted: one whose kind has no place of its own. */
function mayHold(name: string, { source, types }: KindFilter, placed: ReadonlySet<string>): boolean {
  const shared = wordsOf(name);
  const wantedTypes = types.length === 0 ? [shared.type] : types;
  return wantedTypes.some((type) => {
    const kind = { source: source ?? shared.source, type };
    return !placed.has(nameOf(kind)) && sharedNameOf(kind) === name;
  });
}

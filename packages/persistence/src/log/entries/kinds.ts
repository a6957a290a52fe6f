import { LOG_SOURCES, LOG_TYPES, OTHER_TYPE, type CountedType } from '@plugin-config/domain';

/** The source and the type of an entry. */
export interface Words {
  readonly source: string;
  readonly type: string;
}

const SOURCES: readonly string[] = LOG_SOURCES;
const TYPES: readonly string[] = LOG_TYPES;
/** Beside the known words, one place for all others. */
const SOURCE_PLACES = SOURCES.length + 1;
const TYPE_PLACES = TYPES.length + 1;

/** The number of kinds. A kind is a known source or any other, with a known type or any other. Stored entries have its number. */
export const KINDS = SOURCE_PLACES * TYPE_PLACES;

export function kindOf({ source, type }: Words): number {
  return kindAt(sourcePlace(source), typePlace(type));
}

/** What an entry stores beside its kind: its words if one of them is not known, else null. */
export function otherWords({ source, type }: Words): string | null {
  return isKnownSource(source) && isKnownType(type) ? null : `${source} ${type}`;
}

export function wordsOf(kind: number, other: string | null): Words {
  if (other === null) {
    return { source: SOURCES[Math.floor(kind / TYPE_PLACES)] ?? '', type: TYPES[kind % TYPE_PLACES] ?? '' };
  }
  const [source = '', type = ''] = other.split(' ');
  return { source, type };
}

export const isKnownSource = (source: string): boolean => SOURCES.includes(source);
export const isKnownType = (type: string): boolean => TYPES.includes(type);

/** The kinds with this source (null: any) and one of these types (none: any). */
export function kindsOf(source: string | null, types: readonly string[]): readonly number[] {
  const sources =
    source === null ? Array.from({ length: SOURCE_PLACES }, (_, i) => i) : [sourcePlace(source)];
  const wanted = types.length === 0 ? Array.from({ length: TYPE_PLACES }, (_, i) => i) : types.map(typePlace);
  return [...new Set(sources.flatMap((s) => wanted.map((t) => kindAt(s, t))))];
}

/** The types that are counted each by itself, in the order of the kinds of a source. */
export const COUNTED_TYPES: readonly CountedType[] = [...LOG_TYPES, OTHER_TYPE];

/** The kinds of a counted type. */
export function kindsOfType(type: CountedType): readonly number[] {
  return kindsOf(null, [type]);
}

/** The first kind of a source; null if it is null. */
export function sourceOffset(source: string | null): number | null {
  return source === null ? null : kindAt(sourcePlace(source), 0);
}

function kindAt(source: number, type: number): number {
  return source * TYPE_PLACES + type;
}

function sourcePlace(source: string): number {
  return placeOf(source, SOURCES);
}

function typePlace(type: string): number {
  return placeOf(type, TYPES);
}

function placeOf(word: string, words: readonly string[]): number {
  const place = words.indexOf(word);
  return place === -1 ? words.length : place;
}

import { LOG_SOURCES, LOG_TYPES, OTHER_TYPE, type CountedType, type LogFilter } from '@plugin-config/domain';

export interface SourceAndType {
  readonly source: string;
  readonly type: string;
}

const SOURCES: readonly string[] = LOG_SOURCES;
const TYPES: readonly string[] = LOG_TYPES;
/** The predefined words, and one number for all others. */
const SOURCE_COUNT = SOURCES.length + 1;
const TYPE_COUNT = TYPES.length + 1;

/** The number of kinds. A kind combines a source with a type, each of them predefined or "any other". */
export const KINDS = SOURCE_COUNT * TYPE_COUNT;

export function kindOf({ source, type }: SourceAndType): number {
  return kindAt(sourceNumber(source), typeNumber(type));
}

/** Returns the source and type as text if either is not predefined; otherwise null, since the kind is enough. */
export function sourceTypeOf({ source, type }: SourceAndType): string | null {
  return isKnownSource(source) && isKnownType(type) ? null : `${source} ${type}`;
}

export function readSourceAndType(kind: number, sourceType: string | null): SourceAndType {
  if (sourceType === null) {
    return { source: SOURCES[Math.floor(kind / TYPE_COUNT)] ?? '', type: TYPES[kind % TYPE_COUNT] ?? '' };
  }
  const [source = '', type = ''] = sourceType.split(' ');
  return { source, type };
}

const isKnownSource = (source: string): boolean => SOURCES.includes(source);
const isKnownType = (type: string): boolean => TYPES.includes(type);

/** Null means all kinds. */
export type Kinds = readonly number[] | null;

interface WantedKinds {
  readonly kinds: Kinds;
  /** Whether the source or a type is not predefined. Such a kind also contains other words, so each entry must be checked. */
  readonly isMixed: boolean;
}

/** Returns the kinds that may contain matching entries. */
export function wantedKinds({ source, types }: Pick<LogFilter, 'types' | 'source'>): WantedKinds {
  if (source === null && types.length === 0) return { kinds: null, isMixed: false };
  const isMixed = (source !== null && !isKnownSource(source)) || !types.every(isKnownType);
  return { kinds: kindsOf(source, types), isMixed };
}

/** Returns the kinds with this source (null for any) and one of these types (empty for any). */
function kindsOf(source: string | null, types: readonly string[]): readonly number[] {
  const sources =
    source === null ? Array.from({ length: SOURCE_COUNT }, (_, i) => i) : [sourceNumber(source)];
  const wanted = types.length === 0 ? Array.from({ length: TYPE_COUNT }, (_, i) => i) : types.map(typeNumber);
  return [...new Set(sources.flatMap((s) => wanted.map((t) => kindAt(s, t))))];
}

/** The types with separate counts, in the order of the kinds of a source. */
export const COUNTED_TYPES: readonly CountedType[] = [...LOG_TYPES, OTHER_TYPE];

export function kindsOfType(type: CountedType): readonly number[] {
  return kindsOf(null, [type]);
}

/** Returns the first kind of a source; null if the source is null. */
export function sourceOffset(source: string | null): number | null {
  return source === null ? null : kindAt(sourceNumber(source), 0);
}

function kindAt(source: number, type: number): number {
  return source * TYPE_COUNT + type;
}

function sourceNumber(source: string): number {
  return numberOf(source, SOURCES);
}

function typeNumber(type: string): number {
  return numberOf(type, TYPES);
}

function numberOf(word: string, words: readonly string[]): number {
  const index = words.indexOf(word);
  return index === -1 ? words.length : index;
}

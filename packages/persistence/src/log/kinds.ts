import { LOG_SOURCES, LOG_TYPES } from '@plugin-config/domain';

/**
 * The kinds of a record's entries, in the order of the counts in its blocks. They never change place. A kind is a source
 * and a type. The known ones, and `MOST_OWN` others, have a place of their own. Whatever comes after those shares a kind
 * with others, in whose name `*` stands for each word that is not known.
 */
export type LogKinds = readonly string[];

export interface Kind {
  readonly source: string;
  readonly type: string;
}

/** With the known ones and the shared ones that makes 256 at the most. */
export const MOST_OWN = 232;
export const ANY = '*';
const SOURCES: ReadonlySet<string> = new Set(LOG_SOURCES);
const TYPES: ReadonlySet<string> = new Set(LOG_TYPES);

export function nameOf({ source, type }: Kind): string {
  return `${source} ${type}`;
}

export function sharedNameOf({ source, type }: Kind): string {
  return nameOf({ source: SOURCES.has(source) ? source : ANY, type: TYPES.has(type) ? type : ANY });
}

export function wordsOf(name: string): Kind {
  const [source = '', type = ''] = name.split(' ');
  return { source, type };
}

/** The kinds with a place for each of the new ones: its own while there are such places, else the one that it shares. */
export function withPlaces(kinds: LogKinds, unplaced: Iterable<string>): LogKinds {
  const placed = new Set(kinds);
  let room = MOST_OWN - kinds.filter((name) => isOfItsOwn(name)).length;
  for (const name of unplaced) {
    if (placed.has(name)) continue;
    if (!isOfItsOwn(name)) placed.add(name);
    else if (room > 0) {
      placed.add(name);
      room--;
    } else placed.add(sharedNameOf(wordsOf(name)));
  }
  return [...placed];
}

export function isShared(name: string): boolean {
  return name.includes(ANY);
}

/** Neither a known kind nor a shared one. */
function isOfItsOwn(name: string): boolean {
  return !isShared(name) && sharedNameOf(wordsOf(name)) !== name;
}

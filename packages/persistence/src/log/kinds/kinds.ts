import { LOG_SOURCES, LOG_TYPES } from '@plugin-config/domain';

/**
 * The kinds of the entries of a record, in the order of the counts in its blocks; an index never changes. A kind is a
 * source and a type. Known kinds, and up to `MAX_OWN` others, have their own index. Later ones share a kind, in
 * whose name `*` stands for each unknown word.
 */
export type LogKinds = readonly string[];

export interface Kind {
  readonly source: string;
  readonly type: string;
}

/** At most 256 kinds, with the known and the shared ones. */
export const MAX_OWN = 232;
export const ANY = '*';
const SOURCES: ReadonlySet<string> = new Set(LOG_SOURCES);
const TYPES: ReadonlySet<string> = new Set(LOG_TYPES);

export function kindName({ source, type }: Kind): string {
  return `${source} ${type}`;
}

export function sharedKindName({ source, type }: Kind): string {
  return kindName({ source: SOURCES.has(source) ? source : ANY, type: TYPES.has(type) ? type : ANY });
}

export function wordsOf(name: string): Kind {
  const [source = '', type = ''] = name.split(' ');
  return { source, type };
}

/** Adds new kinds: each gets its own index while there is room, else the shared one. */
export function addKinds(kinds: LogKinds, newKinds: Iterable<string>): LogKinds {
  const added = new Set(kinds);
  let room = MAX_OWN - kinds.filter((name) => isOfItsOwn(name)).length;
  for (const name of newKinds) {
    if (added.has(name)) continue;
    if (!isOfItsOwn(name)) added.add(name);
    else if (room > 0) {
      added.add(name);
      room--;
    } else added.add(sharedKindName(wordsOf(name)));
  }
  return [...added];
}

export function isShared(name: string): boolean {
  return name.includes(ANY);
}

/** Whether the kind is neither known nor shared. */
function isOfItsOwn(name: string): boolean {
  return !isShared(name) && sharedKindName(wordsOf(name)) !== name;
}

import { invalidInput } from '../kernel/domain-error.ts';

const REPEATS_MAX = 1000;

/** Inclusive ranges of code points. */
export type Characters = readonly (readonly [number, number])[];

/** A character or class, and how often it repeats. */
export interface PatternItem {
  readonly characters: Characters;
  readonly min: number;
  readonly max: number;
  readonly group: string | null;
}

const LAST = 0x10_ffff;
const CLASSES: Readonly<Record<string, Characters>> = {
  d: [[0x30, 0x39]],
  w: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  s: [
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
  ],
};
const ESCAPED = /^[^\p{L}\p{N}_]$/u;
const GROUP = /^\(\?<([A-Za-z_]\w{0,99})>/;
const QUANTIFIER = /^(?:([?*+])|\{(\d{1,4})(?:(,)(\d{1,4})?)?\})/;

/** Reads a pattern: characters, classes and named groups in a sequence. */
export function patternItems(pattern: string): readonly PatternItem[] {
  const items: PatternItem[] = [];
  const closed = new Set<string>();
  let group: string | null = null;
  let rest = pattern;
  while (rest !== '') {
    const [opening = '', name] = GROUP.exec(rest) ?? [];
    if (name !== undefined) {
      if (group !== null) throw rejectedPattern('A group may not contain another one.');
      if (closed.has(name)) throw rejectedPattern(`The group "${name}" occurs twice.`);
      group = name;
      rest = rest.slice(opening.length);
      continue;
    }
    if (rest.startsWith(')') && group !== null) {
      if (!items.some((item) => item.group === group))
        throw rejectedPattern(`The group "${group}" is empty.`);
      closed.add(group);
      group = null;
      rest = rest.slice(1);
      if (QUANTIFIER.test(rest)) throw rejectedPattern('A group may not repeat.');
      continue;
    }
    const [characters, length] = readCharacters(rest);
    rest = rest.slice(length);
    const [quantifier = '', sign, least, comma, most] = QUANTIFIER.exec(rest) ?? [];
    rest = rest.slice(quantifier.length);
    items.push({ characters, group, ...repeats({ sign, least, comma, most }) });
  }
  if (group !== null) throw rejectedPattern(`The group "${group}" is not closed.`);
  return items;
}

interface Quantifier {
  readonly sign: string | undefined;
  readonly least: string | undefined;
  readonly comma: string | undefined;
  readonly most: string | undefined;
}

function repeats({ sign, least, comma, most }: Quantifier): Pick<PatternItem, 'min' | 'max'> {
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  if (least === undefined) return { min: 1, max: 1 };
  const min = Number(least);
  const max = most === undefined ? (comma === undefined ? min : Infinity) : Number(most);
  if (max < min || min > REPEATS_MAX || (max !== Infinity && max > REPEATS_MAX)) {
    throw rejectedPattern(`A part repeats {n}, {n,} or {n,m} times, up to ${REPEATS_MAX}.`);
  }
  return { min, max };
}

/** Reads a character or a class, and returns its length too. */
function readCharacters(rest: string): readonly [Characters, number] {
  if (rest.startsWith('[')) return readClass(rest);
  const [character = '', next] = rest;
  if (character === '.') return [[[0, LAST]], 1];
  if (character === '\\') return [escaped(next), 1 + (next?.length ?? 0)];
  if ('^$*+?()[]{}|'.includes(character)) throw rejectedPattern(`It cannot have "${character}" there.`);
  return [single(character), character.length];
}

function readClass(rest: string): readonly [Characters, number] {
  const isNegated = rest.startsWith('[^');
  const ranges: (readonly [number, number])[] = [];
  let at = isNegated ? 2 : 1;
  const next = (): Characters => {
    const [character = '', following] = rest.slice(at, at + 4);
    if (character === '') throw rejectedPattern('A class is not closed.');
    at += character.length;
    if (character === '[') throw rejectedPattern('In a class, "[" is written as "\\[".');
    if (character !== '\\') return single(character);
    at += following?.length ?? 0;
    return escaped(following);
  };
  while (rest[at] !== ']') {
    const from = next();
    if (rest[at] !== '-' || rest[at + 1] === ']') {
      ranges.push(...from);
      continue;
    }
    at++;
    const [[low, lowEnd] = [0, 1], ...others] = from;
    const [[high, highEnd] = [0, 1], ...more] = next();
    const isRange = low === lowEnd && high === highEnd && others.length + more.length === 0;
    if (!isRange || high < low)
      throw rejectedPattern('A range in a class goes from a character to a later one.');
    ranges.push([low, high]);
  }
  const characters = isNegated ? complement(ranges) : ranges;
  if (characters.length === 0) throw rejectedPattern('A class has no characters.');
  return [characters, at + 1];
}

function escaped(character: string | undefined): Characters {
  if (character === 'n') return single('\n');
  if (character === 't') return single('\t');
  const known = character !== undefined && Object.hasOwn(CLASSES, character) && CLASSES[character];
  if (known) return known;
  if (character !== undefined && ESCAPED.test(character)) return single(character);
  throw rejectedPattern('After "\\" it can have d, w, s, n, t or a punctuation mark.');
}

function single(character: string): Characters {
  const code = character.codePointAt(0) ?? 0;
  return [[code, code]];
}

function complement(ranges: Characters): Characters {
  const outside: (readonly [number, number])[] = [];
  let from = 0;
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    if (low > from) outside.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  return from > LAST ? outside : [...outside, [from, LAST]];
}

export function rejectedPattern(reason: string): Error {
  return invalidInput('migrations', `The service cannot use this "pattern". ${reason}`);
}

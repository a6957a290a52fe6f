import { keepsItsValue } from './exact-number.ts';

/** Stands for a number in a JSON text that no JavaScript number can hold. */
export class InexactNumber {
  /** The digits as they were sent. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Matches a text that may contain an inexact number: one of 16 digits or more, or with an exponent of 3 digits or more.
 * A number of 15 digits with a smaller exponent always keeps its value.
 */
const MAY_BE_INEXACT = /[\s,:[]-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/;
/** The length of the shortest inexact number: `1e400`. */
const SHORTEST = 5;
/** The first character of a string or a number. */
const TOKEN = /["\d-]/g;
const NUMBER = /[-+.\deE]+/y;
/** Marks a text that stands for an inexact number. No storable text begins with it. */
const MARK = '\u0000';
const MARKED = new RegExp(`^${MARK}-?\\d`);

/**
 * Parses JSON without changing a number. A number whose value would change becomes an `InexactNumber`, which the check of
 * its field refuses. Takes a small multiple of the time of `JSON.parse`; a reviver takes much longer.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const marked = MAY_BE_INEXACT.test(text) ? markInexact(text) : text;
  if (marked === text) return value;
  const parsed: unknown = JSON.parse(marked);
  if (typeof parsed !== 'object' || parsed === null) return value;
  try {
    replaceMarked(parsed);
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError('it is nested too deeply') : error;
  }
  return parsed;
}

/** Replaces each inexact number in the text of valid JSON by a marked string. */
function markInexact(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const { index } = token;
    if (token[0] === '"') {
      TOKEN.lastIndex = endOfString(text, index);
      continue;
    }
    NUMBER.lastIndex = index;
    NUMBER.test(text);
    const end = NUMBER.lastIndex;
    TOKEN.lastIndex = end;
    const source = text.slice(index, end);
    if (source.length < SHORTEST || keepsItsValue(source)) continue;
    parts.push(text.slice(copied, index), `"\\u0000${source}"`);
    copied = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(copied);
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charAt(before) === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

function replaceMarked(value: object): void {
  for (const key of Object.keys(value)) {
    const child: unknown = (value as Record<string, unknown>)[key];
    if (typeof child === 'object' && child !== null) replaceMarked(child);
    else if (typeof child === 'string' && MARKED.test(child)) {
      const exact = new InexactNumber(child.slice(MARK.length));
      Object.defineProperty(value, key, {
        value: exact,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  }
}

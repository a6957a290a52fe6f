import { keepsItsValue } from './exact-number.ts';

/** A number in a JSON text that no JavaScript number can hold. It stands where the number would stand. */
export class InexactNumber {
  /** Its digits, as they were sent. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Matches a text that may hold such a number: one of 16 digits or more, or one with an exponent of 3 digits or more.
 * 15 digits with a smaller exponent always keep their value.
 */
const MAY_BE_INEXACT = /[\s,:[]-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/;
/** No shorter number is inexact: `1e400`. */
const SHORTEST = 5;
/** What a string or a number begins with. */
const TOKEN = /["\d-]/g;
const NUMBER = /[-+.\deE]+/y;
/** Marks a text that stands for an inexact number. No text that begins so could be stored. */
const MARK = '\u0000';
const MARKED = new RegExp(`^${MARK}-?\\d`);

/**
 * Parses JSON without changing a number: one whose value would change becomes an `InexactNumber`, for whoever reads
 * the field to refuse. Takes a small multiple of the time of `JSON.parse`, which a reviver would not.
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

/** The text of valid JSON, with a marked string in the place of each inexact number. */
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

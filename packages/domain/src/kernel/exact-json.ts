import { DomainError } from './domain-error.ts';
import { keepsItsValue } from './exact-number.ts';

/** A number in JSON text that no JavaScript number can represent. */
export class InexactNumber {
  /** The original digits. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** The maximum number of members in an object or list. */
export const MEMBERS_MAX = 10_000;

/**
 * Matches text that may contain an inexact number: 16 or more digits, or an exponent of 3 or more digits. A
 * number with 15 digits and a smaller exponent always keeps its value.
 */
const MAY_BE_INEXACT = /[\s,:[]-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/;
/** Longer than any real number, even the smallest fraction written out. */
const NUMBER_MAX = 1_100;
/** A string without escapes. */
const PLAIN = /"[^"\\]*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
/** Longer runs of whitespace are skipped by a regular expression, which is faster. */
const FEW_SPACES = 64;
const NO_SPACE = /[^ \t\n\r]/g;
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
/** How many values to read before yielding. */
const STEP = 256;
const KEY_SHOWN_MAX = 100;

/**
 * Parses JSON without losing precision. A number whose value would change becomes an `InexactNumber`, which
 * field validation rejects.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  return MAY_BE_INEXACT.test(text) ? parseBounded(text, Infinity) : JSON.parse(text);
}

/**
 * Parses JSON with at most `maxValues` values.
 * @throws SyntaxError
 * @throws DomainError `too_large`
 */
export function parseBounded(text: string, maxValues: number): unknown {
  const reading = readJson(text, { maxValues });
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

interface ReadOptions {
  /** The maximum number of values in memory. */
  readonly maxValues?: number;
  /** The maximum number of members in an object or list; `MEMBERS_MAX` by default. */
  readonly maxMembers?: number;
  /** Longer strings are truncated, and kept as raw text with quotes and escapes; unlimited by default. */
  readonly maxString?: number;
  /** Rejects objects with duplicate keys. By default, the last value wins. */
  readonly uniqueKeys?: boolean;
  /** Replaces an object or list once it is complete, to free the memory of its values. */
  readonly reduce?: (value: object, at: ReducedAt) => unknown;
}

/** The position of a value passed to `reduce`. */
interface ReducedAt {
  /** The enclosing containers, outermost first. */
  readonly open: readonly Pick<Container, 'key'>[];
  /** The raw text of the value. */
  readonly text: () => string;
}

/** An object or list that is still being read. */
interface Container {
  readonly start: number;
  /** How many values were in memory before it. */
  readonly before: number;
  readonly value: unknown[] | Record<string, unknown>;
  readonly end: number;
  members: number;
  /** The key of the current member; empty in a list. */
  key: string;
}

/**
 * Parses JSON like `parseExactly`, but yields every few hundred values. `JSON.parse` cannot be interrupted, and
 * takes a second for 8 MiB of small values.
 * @throws SyntaxError
 * @throws DomainError `too_large` for more than `maxMembers` or `maxValues`
 */
export function* readJson(
  text: string,
  {
    maxValues = Infinity,
    maxMembers = MEMBERS_MAX,
    maxString = Infinity,
    uniqueKeys = false,
    reduce,
  }: ReadOptions = {},
): Generator<void, unknown, void> {
  const scan = scanner(text, maxString);
  const open: Container[] = [];
  let values = 0;
  const ended = ({ value, start, before }: Container): unknown => {
    if (reduce === undefined) return value;
    const reduced = reduce(value, { open, text: () => scan.textFrom(start) });
    if (reduced !== value) values = before + 1;
    return reduced;
  };
  for (let step = 1; ; step++) {
    if (++values > maxValues) throw tooMany('The JSON', maxValues, 'values');
    if (step % STEP === 0) yield;
    let inner = open.at(-1);
    if (inner?.end === OBJECT_END) scan.key(inner, uniqueKeys);
    const opened = scan.opened(values - 1);
    if (opened !== null && !scan.accept(opened.end)) {
      open.push(opened);
      continue;
    }
    let value = opened === null ? scan.scalar() : ended(opened);
    // A value may complete several containers.
    for (; inner !== undefined; inner = open.at(-1)) {
      add(inner, value, maxMembers);
      if (scan.accept(COMMA)) break;
      scan.take(inner.end);
      open.pop();
      value = ended(inner);
    }
    if (inner !== undefined) continue;
    scan.finish();
    return value;
  }
}

function add(container: Container, value: unknown, maxMembers: number): void {
  if (++container.members > maxMembers) throw tooMany('An object or a list', maxMembers, 'members');
  if (Array.isArray(container.value)) container.value.push(value);
  else if (container.key !== '__proto__') container.value[container.key] = value;
  else {
    const own = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(container.value, container.key, own);
  }
}

function tooMany(what: string, max: number, of: string): DomainError {
  return new DomainError('too_large', `${what} may have no more than ${max.toLocaleString('en')} ${of}.`);
}

/** Reads the tokens of a JSON text. */
function scanner(text: string, maxString: number) {
  let at = 0;

  function skipSpace(): void {
    for (const few = at + FEW_SPACES; at < few; at++) {
      const code = text.charCodeAt(at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return;
    }
    NO_SPACE.lastIndex = at;
    at = NO_SPACE.test(text) ? NO_SPACE.lastIndex - 1 : text.length;
  }

  /** Consumes the next token if it is this character. */
  function accept(code: number): boolean {
    skipSpace();
    const isNext = text.charCodeAt(at) === code;
    if (isNext) at++;
    return isNext;
  }

  function unexpected(): SyntaxError {
    if (at >= text.length) return new SyntaxError('the text ends too early');
    return new SyntaxError(`unexpected ${JSON.stringify(text.charAt(at))} (${placeOf(text, at)})`);
  }

  function take(code: number): void {
    if (!accept(code)) throw unexpected();
  }

  function string(): string {
    const start = at;
    PLAIN.lastIndex = at;
    at = PLAIN.test(text) ? PLAIN.lastIndex : endOfEscaped();
    return parseString(start);
  }

  function endOfEscaped(): number {
    for (let end = at + 1; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === BACKSLASH) end++;
      else if (code === QUOTE) return end + 1;
    }
    at = text.length;
    throw unexpected();
  }

  function parseString(start: number): string {
    if (at - start > maxString) return text.slice(start, start + maxString);
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      throw new SyntaxError(`invalid character or escape in a string (${placeOf(text, start)})`);
    }
  }

  function number(): number | InexactNumber {
    NUMBER.lastIndex = at;
    if (!NUMBER.test(text)) throw unexpected();
    const source = text.slice(at, NUMBER.lastIndex);
    at = NUMBER.lastIndex;
    const isExact =
      source.length <= NUMBER_MAX && (!MAY_BE_INEXACT.test(`[${source}`) || keepsItsValue(source));
    return isExact ? Number(source) : new InexactNumber(source);
  }

  return {
    accept,
    take,

    opened(before: number): Container | null {
      if (accept(LIST)) return { value: [], end: LIST_END, start: at - 1, before, members: 0, key: '' };
      return accept(OBJECT)
        ? { value: {}, end: OBJECT_END, start: at - 1, before, members: 0, key: '' }
        : null;
    },

    textFrom: (start: number): string => text.slice(start, at),

    key(container: Container, isOnce: boolean): void {
      skipSpace();
      const start = at;
      if (text.charCodeAt(at) !== QUOTE) throw unexpected();
      container.key = string();
      if (isOnce && Object.hasOwn(container.value, container.key)) {
        const shown = JSON.stringify(container.key.slice(0, KEY_SHOWN_MAX));
        throw new SyntaxError(`the key ${shown} occurs twice in its object (${placeOf(text, start)})`);
      }
      take(COLON);
    },

    scalar(): unknown {
      skipSpace();
      if (text.charCodeAt(at) === QUOTE) return string();
      for (const [literal, value] of LITERALS) {
        if (!text.startsWith(literal, at)) continue;
        at += literal.length;
        return value;
      }
      return number();
    },

    finish(): void {
      skipSpace();
      if (at < text.length) throw unexpected();
    },
  };
}

function placeOf(text: string, at: number): string {
  let [line, column] = [1, 1];
  for (let i = 0; i < at; i++) {
    column++;
    if (text.charCodeAt(i) === LINE_FEED) [line, column] = [line + 1, 1];
  }
  return `line ${line}, column ${column}`;
}

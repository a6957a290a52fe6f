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

/** What JSON text contains, found without parsing it. */
export interface JsonScan {
  /** The number of values. An empty object or list counts twice. */
  readonly values: number;
  /** The number of members of all objects, including those with a duplicate key. */
  readonly members: number;
  readonly depth: number;
  /** Whether a number has 16 or more characters, or an exponent. Any other number keeps its value. */
  readonly mayBeInexact: boolean;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const [PLUS, MINUS, POINT, ZERO, NINE] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [EXPONENT, CAPITAL_EXPONENT] = [0x65, 0x45];
/** A shorter number without an exponent always keeps its value. */
const INEXACT_MIN = 16;
/** `JSON.parse` with a reviver, validation and `JSON.stringify` are recursive. */
const DEPTH_MAX = 500;

/** Counts the values of JSON text. For other text, the result says nothing. */
export function scanJson(text: string): JsonScan {
  let [values, members, depth, maxDepth] = [1, 0, 0, 0];
  let mayBeInexact = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if (code === COLON) members++;
    else if (code === LIST || code === OBJECT) {
      values++;
      if (++depth > maxDepth) maxDepth = depth;
    } else if (code === LIST_END || code === OBJECT_END) depth--;
    else if ((code >= ZERO && code <= NINE) || code === MINUS) {
      const start = at;
      while (isPartOfNumber(text.charCodeAt(at + 1))) at++;
      if (at - start + 1 >= INEXACT_MIN) mayBeInexact = true;
    } else if (code === EXPONENT || code === CAPITAL_EXPONENT) {
      // The literals `true` and `false` have an `e`, too, but no digit before it.
      if (isPartOfNumber(text.charCodeAt(at - 1))) mayBeInexact = true;
    }
  }
  return { values, members, depth: maxDepth, mayBeInexact };
}

/** Returns the position of the closing quote, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return text.length;
}

function isPartOfNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === POINT || code === MINUS || code === PLUS;
}

interface ParseOptions {
  readonly maxValues?: number;
  /** Rejects objects with duplicate keys. By default, the last value wins. */
  readonly uniqueKeys?: boolean;
}

/**
 * Parses JSON without losing precision. A number whose value would change becomes an `InexactNumber`, which
 * field validation rejects; one that is the whole text does not.
 * @throws SyntaxError
 * @throws DomainError `too_large` for more than `maxValues`
 */
export function parseExactly(
  text: string,
  { maxValues = Infinity, uniqueKeys = false }: ParseOptions = {},
): unknown {
  const { values, members, depth, mayBeInexact } = scanJson(text);
  if (values > maxValues) {
    const limit = maxValues.toLocaleString('en');
    throw new DomainError('too_large', `The JSON may have no more than ${limit} values.`);
  }
  if (depth > DEPTH_MAX) throw new SyntaxError(`the JSON is nested deeper than ${DEPTH_MAX} levels`);
  const value: unknown = mayBeInexact ? JSON.parse(text, keepDigits) : JSON.parse(text);
  if (uniqueKeys && membersOf(value) < members)
    throw new SyntaxError('an object has the same key more than once');
  return value instanceof InexactNumber ? Number(value.source) : value;
}

/** The reviver costs ten times as much as parsing. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && !keepsItsValue(source)
    ? new InexactNumber(source)
    : value;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof InexactNumber) return 0;
  const children = Object.values(value);
  return children.reduce(
    (sum: number, child) => sum + membersOf(child),
    Array.isArray(value) ? 0 : children.length,
  );
}

import { keepsItsValue } from './exact-number.ts';

/** A number in a JSON text that no JavaScript number can hold. It stands where the number would stand. */
export class InexactNumber {
  /** Its digits, as they were sent. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/**
 * Matches a text that may hold such a number: one of 16 digits or more, or one with an exponent of 3 digits or more.
 * 15 digits with a smaller exponent always keep their value.
 */
const MAY_BE_INEXACT = /[\s,:[]-?(?:[\d.]{16}|[\d.]+[eE][-+]?\d{3})/;

/**
 * Parses JSON without changing a number: one whose value would change becomes an `InexactNumber`, for whoever reads
 * the field to refuse.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return JSON.parse(text);
  const value = parseEachNumber(text);
  return value instanceof InexactNumber ? Number(value.source) : value;
}

function parseEachNumber(text: string): unknown {
  try {
    return JSON.parse(text, exactly);
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError('it is nested too deeply') : error;
  }
}

function exactly(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && !keepsItsValue(source)
    ? new InexactNumber(source)
    : value;
}

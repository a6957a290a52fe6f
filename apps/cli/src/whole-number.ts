import { InvalidArgumentError } from 'commander';

/** Returns a parser of whole numbers from 1 to `max`. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
}

export const readId = wholeNumber(Number.MAX_SAFE_INTEGER);

/** Parses an id of an option that can be repeated. */
export function readIds(text: string, before: readonly number[] = []): readonly number[] {
  return [...new Set([...before, readId(text)])];
}

import { RUNS_LONG_TESTS } from './tiers.ts';

const DEFAULT_SEED = 20_260_301;

/** The seed of all property tests. It is fixed, so that every run tries the same examples, unless one is given. */
export const SEED = numberFrom('PROPERTY_SEED', DEFAULT_SEED);

/** Multiplies the number of examples that the long property tests try, and the loads of the end-to-end tests. */
const TIMES = numberFrom('PROPERTY_TIMES', 1);

export function propertyRuns(usual: number): number {
  return usual * TIMES;
}

/** Returns these examples, evenly spread; in the second tier all of them. */
export function sampled<T>(all: readonly T[], few: number): readonly T[] {
  if (RUNS_LONG_TESTS || all.length <= few) return all;
  return Array.from({ length: few }, (_, n) => all[Math.floor((n * all.length) / few)]).filter(
    (one) => one !== undefined,
  );
}

/** Returns the examples that are chosen for the first tier; in the second tier all of them. */
export function chosen<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return RUNS_LONG_TESTS ? all : all.filter(isChosen);
}

/** The time limit of a long property test. */
export function propertyTimeout(usualMs: number): number {
  return usualMs * TIMES;
}

/** How long a load goes on, or how many requests it has. */
export function loadOf(usual: number): number {
  return usual * TIMES;
}

function numberFrom(name: string, usual: number): number {
  const text = process.env[name] ?? '';
  if (text === '') return usual;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number of at most nine digits.`);
}

import { RUNS_LONG_TESTS } from './tiers.ts';

const DEFAULT_SEED = 20_260_301;

/** The seed of all property tests. By default it is fixed: every run tries the same examples. */
export const SEED = numberFrom('PROPERTY_SEED', DEFAULT_SEED);

/** Multiplies the number of examples that the long property tests try, and the loads of the end-to-end tests. */
const TIMES = numberFrom('PROPERTY_TIMES', 1);

/** How long a model runs, instead of a number of steps. */
export const MODEL_MINUTES = numberFrom('MODEL_MINUTES', 0);

export function propertyRuns(runs: number): number {
  return runs * TIMES;
}

/** Returns a few evenly spread examples in the first tier, and all of them in the second. */
export function sampled<T>(all: readonly T[], few: number): readonly T[] {
  if (RUNS_LONG_TESTS || all.length <= few) return all;
  return Array.from({ length: few }, (_, n) => all[Math.floor((n * all.length) / few)]).filter(
    (one) => one !== undefined,
  );
}

/** Returns the chosen examples in the first tier, and all of them in the second. */
export function chosen<T>(all: readonly T[], isChosen: (one: T) => boolean): readonly T[] {
  return RUNS_LONG_TESTS ? all : all.filter(isChosen);
}

/** Scales the time limit of a long property test. */
export function propertyTimeout(ms: number): number {
  return ms * TIMES + MODEL_MINUTES * 60_000;
}

/** Scales the duration or the number of requests of a load. */
export function loadOf(load: number): number {
  return load * TIMES;
}

function numberFrom(name: string, defaultValue: number): number {
  const text = process.env[name] ?? '';
  if (text === '') return defaultValue;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`${name} must be a whole number of at most nine digits.`);
}

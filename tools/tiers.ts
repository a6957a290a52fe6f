// Tests have two tiers. `npm test` runs the first, `npm run test:all` both.

/** The tag of tests in the second tier. */
export const LONG = 'long';

/** The environment variable that enables the second tier. */
export const LONG_TESTS = 'LONG_TESTS';

export const RUNS_LONG_TESTS = (process.env[LONG_TESTS] ?? '') !== '';

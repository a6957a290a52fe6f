// The two tiers of tests. `npm test` runs the first: what a change needs. `npm run test:all` runs both.

/** The tag of tests that belong to the second tier. */
export const LONG = 'long';

/** The environment variable that runs the second tier, too. */
export const LONG_TESTS = 'LONG_TESTS';

export const RUNS_LONG_TESTS = (process.env[LONG_TESTS] ?? '') !== '';

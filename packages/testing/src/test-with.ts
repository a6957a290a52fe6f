/**
 * The part of a test runner's `test` that contracts need. It creates the fixtures, runs the test and removes them.
 */
export type TestWith<Fixtures> = (name: string, run: (fixtures: Fixtures) => Promise<void>) => void;

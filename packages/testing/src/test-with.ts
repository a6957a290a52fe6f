/** As much of a test runner's `test` as a contract needs: it makes the fixtures, runs and takes them down. */
export type TestWith<Fixtures> = (name: string, run: (fixtures: Fixtures) => Promise<void>) => void;

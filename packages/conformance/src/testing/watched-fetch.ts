import { watchFetch } from '../watch-fetch.ts';

/** The `fetch` of all tests in the process. In a separate module because Vitest runs the setup file once per test file. */
export const watchedFetch = watchFetch();

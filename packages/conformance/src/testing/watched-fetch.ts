import { watchFetch } from '../watch-fetch.ts';

/** The `fetch` of all tests of the process. A module of its own, since Vitest runs its setup file for each test file anew. */
export const watchedFetch = watchFetch();

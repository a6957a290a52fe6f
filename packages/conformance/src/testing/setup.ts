import { afterEach, expect } from 'vitest';
import { watchFetch } from '../watch-fetch.ts';

/** A setup file of Vitest: a test fails if an answer that it read violates the document. */
export const watchedFetch = watchFetch();

afterEach(() => expect(watchedFetch.takeViolations()).toEqual([]));

import { afterEach, expect } from 'vitest';
import { watchedFetch } from './watched-fetch.ts';

/** A setup file of Vitest: a test fails if an answer that it read violates the document. */
afterEach(() => expect(watchedFetch.takeViolations()).toEqual([]));

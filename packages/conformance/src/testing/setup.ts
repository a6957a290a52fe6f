import { afterEach, expect } from 'vitest';
import { watchedFetch } from './watched-fetch.ts';

/** A Vitest setup file. Fails a test if a response that it read violates the document. */
afterEach(() => expect(watchedFetch.takeViolations()).toEqual([]));

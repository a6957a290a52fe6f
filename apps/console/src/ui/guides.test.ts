import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDES } from './guides.ts';

test.for(Object.keys(GUIDES))('%s exists', (guide) => {
  expect(existsSync(new URL(`../../../../docs/${guide}`, import.meta.url))).toBe(true);
});

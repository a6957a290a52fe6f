import { expect, test } from 'vitest';
import { readingPauses } from './reading-pauses.ts';

test.each([
  ['long', 64 * 1024, 2],
  ['short', 0, 128],
])('other work runs after some %s texts', async (_, characters, texts) => {
  const pauseAfter = readingPauses();
  for (let round = 0; round < 2; round++) {
    for (let text = 1; text < texts; text++) expect(pauseAfter(characters)).toBeUndefined();
    let hasRun = false;
    setImmediate(() => (hasRun = true));
    await pauseAfter(characters);
    expect(hasRun).toBe(true);
  }
});

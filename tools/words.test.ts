import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** Names that said something else than they did, or had two meanings, and what is said instead. */
const RETIRED = {
  'familyVersion: (?!string|z)':
    'listVersion (the `X-Family-Version` of the wire is a lineage with a revision)',
  'nameOf\\(': 'kindName, blockName, entryName, …: what the name is of',
  'keep(Logs|History|Letters|Arrivals|DeadLetters)\\b': 'drop…: it deletes',
  'converse\\b|makeRoom\\b': 'askAndAnswer, end',
  'entries(Beside|Within)\\b': 'appendEntries',
  'recordWork|record-work': 'subresource',
  'recordRevision|editionRevision': 'edition: a revision counts the changes of a family',
  'since the epoch': 'since 1970: `epoch` is that of a followed log',
} as const;

test.for(Object.entries(RETIRED))('nothing is called %s any more: %s', ([retired]) => {
  const pattern = new RegExp(retired);
  const files = globSync('{packages,apps}/*/src/**/*.{ts,sql}', { cwd: REPOSITORY });
  expect(files.length).toBeGreaterThan(900);
  expect(files.filter((file) => pattern.test(readFileSync(`${REPOSITORY}/${file}`, 'utf8')))).toEqual([]);
});

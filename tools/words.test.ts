import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));

/** Words that were ambiguous or invented by this project, and their replacements. */
const RETIRED = {
  '[Pp]atience|PATIENCE': 'deadline',
  '[Ll]ineage|LINEAGE': 'timeline',
  '\\b[Ee]ditions?\\b|EDITION': 'revision',
  '[Rr]ecollection|[Rr]ecall': 'record cache, cached',
  '[Ff]reshness': 'cache version',
  '[Pp]ortions?\\b|PORTION': 'chunk, batch',
  '[Ss]eal|SEAL': 'encrypt',
  'LogArrival|ARRIVALS': 'log sequence, sequence number',
  '\\b[Rr]efusals?\\b': 'rejection',
  'nameOf\\(': 'kindName, blockName, entryName, …: what the name is of',
  'keep(Logs|History|Letters|DeadLetters)\\b': 'drop…: it deletes',
  'recordWork|record-work': 'subresource',
  'since the epoch': 'since 1970: an epoch is that of a followed log, or of the connections',
} as const;

test.for(Object.entries(RETIRED))('nothing is called %s any more: %s', ([retired]) => {
  const pattern = new RegExp(retired);
  const files = globSync('{packages,apps}/*/src/**/*.{ts,sql}', { cwd: REPOSITORY });
  expect(files.length).toBeGreaterThan(900);
  expect(files.filter((file) => pattern.test(readFileSync(`${REPOSITORY}/${file}`, 'utf8')))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { breakingChanges, type JsonObject } from '@plugin-config/conformance';
import { expect, test } from 'vitest';
import { openapiDocument } from './document.ts';
import { RELEASED } from './release-document.ts';

/** The part of a version that says whether clients of another version still work: `1` of 1.2.3, `0.1` of 0.1.2. */
const compatibility = ({ info }: JsonObject): string | undefined =>
  /^(?:0\.\d+|[1-9]\d*)/.exec((info as { readonly version: string }).version)?.[0];

test('the document breaks no client of the released one, unless its version says so', () => {
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as JsonObject;
  const current = JSON.parse(JSON.stringify(openapiDocument({ publicUrl: null }))) as JsonObject;
  const isAnnounced = compatibility(released) !== compatibility(current);
  expect(isAnnounced ? [] : breakingChanges(released, current)).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import { breakingChanges, type JsonObject } from '@plugin-config/conformance';
import { expect, test } from 'vitest';
import { openapiDocument } from './document.ts';
import { RELEASED } from './release-document.ts';

/** The part of a version that says whether clients of another version still work: `1` of 1.2.3, `0.1` of 0.1.2. */
const compatibility = ({ info }: JsonObject): string | undefined =>
  /^(?:0\.\d+|[1-9]\d*)/.exec((info as { readonly version: string }).version)?.[0];

const CHANGELOG = new URL('../../../../CHANGELOG.md', import.meta.url);

test('the document breaks no client of the last release, unless its version says so', async ({
  annotate,
}) => {
  const isReleased = /^## \[?\d/m.test(readFileSync(CHANGELOG, 'utf8'));
  if (!isReleased) await annotate('Nothing is released yet, so there is no document to compare with.');
  expect(existsSync(RELEASED)).toBe(isReleased);
  const current = JSON.parse(JSON.stringify(openapiDocument({ publicUrl: null }))) as JsonObject;
  const released = isReleased ? (JSON.parse(readFileSync(RELEASED, 'utf8')) as JsonObject) : current;
  const isAnnounced = compatibility(released) !== compatibility(current);
  expect(isAnnounced ? [] : breakingChanges(released, current)).toEqual([]);
});

import { existsSync, readFileSync } from 'node:fs';
import { breakingChanges, type JsonObject } from '@plugin-config/conformance';
import { expect, test } from 'vitest';
import { openapiDocument } from './document.ts';
import { RELEASED } from './release-document.ts';

/** Returns the part of a version that changes with breaking changes: `1` of 1.2.3, `0.1` of 0.1.2. */
const compatibility = ({ info }: JsonObject): string | undefined =>
  /^(?:0\.\d+|[1-9]\d*)/.exec((info as { readonly version: string }).version)?.[0];

const CHANGELOG = new URL('../../../../CHANGELOG.md', import.meta.url);

test('the document does not break clients of the last release, unless its version says so', async ({
  annotate,
}) => {
  const isReleased = /^## \[?\d/m.test(readFileSync(CHANGELOG, 'utf8'));
  if (!isReleased) await annotate('There is no release to compare with yet.');
  expect(existsSync(RELEASED)).toBe(isReleased);
  const current = JSON.parse(JSON.stringify(openapiDocument({ publicUrl: null }))) as JsonObject;
  const released = isReleased ? (JSON.parse(readFileSync(RELEASED, 'utf8')) as JsonObject) : current;
  const isBreakingRelease = compatibility(released) !== compatibility(current);
  expect(isBreakingRelease ? [] : breakingChanges(released, current)).toEqual([]);
});

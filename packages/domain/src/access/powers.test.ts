import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantsScope, isLive, type KeyGrant } from './api-key.ts';
import { checkWithin, canIssue, powersOf } from './powers.ts';
import { SCOPES } from '../vocabulary/vocabulary.ts';

const TIMES = [10, 20, 30].map((time) => new Date(time));
const given = fc.record({
  scopes: fc.subarray([...SCOPES], { minLength: 1 }),
  projectIds: fc.subarray([1, 2, 3]),
  expiresAt: fc.option(fc.constantFrom(...TIMES)),
});

/** Everything a key may do: each scope in each project at each time. */
function acts({ scopes, projectIds, expiresAt }: Pick<KeyGrant, 'scopes' | 'projectIds' | 'expiresAt'>) {
  const key = { expiresAt, revokedAt: null };
  return new Set(
    SCOPES.filter((scope) => grantsScope(scopes, scope)).flatMap((scope) =>
      ['any', 1, 2, 3]
        .filter((project) => projectIds.length === 0 || projectIds.includes(Number(project)))
        .flatMap((project) =>
          [5, 15, 25, 1e15]
            .filter((at) => isLive(key, new Date(at)))
            .map((at) => `${scope} ${project} ${at}`),
        ),
    ),
  );
}

test('a key can issue exactly the keys that may do no more than itself', () => {
  fc.assert(
    fc.property(given, given, (maker, made) => {
      expect(canIssue(powersOf(maker), made)).toBe(acts(made).isSubsetOf(acts(maker)));
    }),
  );
});

test.for([
  ['scopes', { scopes: ['plugin:write'] }],
  ['scopes', { scopes: ['*'] }],
  ['project_ids', { projectIds: [1, 4] }],
  ['project_ids', { projectIds: [] }],
  ['expires_at', { expiresAt: null }],
  ['expires_at', { expiresAt: new Date(21) }],
] as const)('more %s than the issuer has are rejected: %o', ([attr, more]) => {
  const own = { scopes: ['plugin:read', 'key:write'], projectIds: [1, 2], expiresAt: new Date(20) } as const;
  expect(() => checkWithin(powersOf(own), own)).not.toThrow();
  expect(() => checkWithin(powersOf(own), { ...own, ...more })).toThrow(
    expect.objectContaining({ code: 'not_granted', attr }),
  );
});

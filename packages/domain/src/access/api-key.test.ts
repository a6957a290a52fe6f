import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Randomness } from '../kernel/randomness.ts';
import { accountOfIssued, grantsProject, grantsScope, isLive, isToken, newToken } from './api-key.ts';
import { aKeyGrant } from './key-grant.fixture.ts';
import { type Scope, SCOPES } from '../vocabulary/vocabulary.ts';

const ALPHABET = /^[0-9A-Za-z]$/;

describe('a token', () => {
  test('is a prefix and 43 characters, whatever the randomness', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (stream) => {
        const token = newToken(randomnessOf(() => stream.next().value ?? 0));
        expect(token).toMatch(/^phx_[0-9A-Za-z]{43}$/);
        expect(isToken(token)).toBe(true);
      }),
    );
  });

  test('uses all characters with equal probability', () => {
    const bytesOf = new Map<string, number>();
    for (let byte = 0; byte < 248; byte++) {
      const letter = newToken(randomnessOf(() => byte)).at(-1) ?? '';
      bytesOf.set(letter, (bytesOf.get(letter) ?? 0) + 1);
    }
    expect([...bytesOf.keys()].every((letter) => ALPHABET.test(letter))).toBe(true);
    expect(bytesOf.size).toBe(62);
    expect(new Set(bytesOf.values())).toEqual(new Set([4]));
  });

  test('skips the bytes that would favour some characters', () => {
    let calls = 0;
    const token = newToken(randomnessOf(() => (calls++ % 2 === 0 ? 1 : 248 + (calls % 8))));
    expect(token).toBe(`phx_${'1'.repeat(43)}`);
  });

  test('depends on every random byte', () => {
    const tokens = new Set<string>();
    for (let changed = 0; changed < 43; changed++) {
      let i = 0;
      tokens.add(newToken(randomnessOf(() => (i++ === changed ? 1 : 0))));
    }
    expect(tokens.size).toBe(43);
  });

  const good = `phx_${'aZ9'.repeat(14)}x`;
  const malformed = {
    nothing: '',
    'the prefix alone': 'phx_',
    'another prefix': good.replace('phx', 'phy'),
    'a prefix in capitals': good.replace('phx', 'PHX'),
    'one character too few': good.slice(0, -1),
    'one character too many': `${good}x`,
    'an invalid character': `${good.slice(0, -1)}-`,
    'a trailing line break': `${good}\n`,
    'a leading space': ` ${good}`,
    'an accented letter': `${good.slice(0, -1)}é`,
  };
  for (const [name, text] of Object.entries(malformed)) {
    test(`is not: ${name}`, () => {
      expect(isToken(good)).toBe(true);
      expect(isToken(text)).toBe(false);
    });
  }
});

describe('a key', () => {
  const at = new Date('2026-01-02T03:04:05.678Z');
  const later = (ms: number) => new Date(at.getTime() + ms);

  test('without an expiry never expires', () => {
    expect(isLive({ expiresAt: null, revokedAt: null }, at)).toBe(true);
  });

  test('is valid until just before its expiry', () => {
    expect(isLive({ expiresAt: later(1), revokedAt: null }, at)).toBe(true);
    expect(isLive({ expiresAt: at, revokedAt: null }, at)).toBe(false);
    expect(isLive({ expiresAt: later(-1), revokedAt: null }, at)).toBe(false);
  });

  test('is invalid once revoked, even if the revocation time is in the future', () => {
    expect(isLive({ expiresAt: null, revokedAt: later(-1) }, at)).toBe(false);
    expect(isLive({ expiresAt: later(1), revokedAt: later(1) }, at)).toBe(false);
  });

  test('grants access to its projects, or to all if it is bound to none', () => {
    expect(grantsProject({ projectIds: [] }, 7)).toBe(true);
    expect(grantsProject({ projectIds: [3, 7] }, 7)).toBe(true);
    expect(grantsProject({ projectIds: [3, 7] }, 8)).toBe(false);
  });
});

function randomnessOf(nextByte: () => number): Randomness {
  return { bytes: (length) => Uint8Array.from({ length }, nextByte), uuid: () => '' };
}

const GRANTED: Readonly<Record<Scope, readonly Scope[]>> = {
  'plugin:read': ['plugin:read'],
  'plugin:write': ['plugin:read', 'plugin:write', 'config:write'],
  'config:write': ['config:write'],
  'plugin_log:write': ['plugin_log:write'],
  plugin_runtime: ['plugin_runtime'],
  'key:write': ['key:write'],
  'project:write': ['project:write'],
  'plugin_registry:write': ['plugin_registry:write'],
  '*': SCOPES,
};

for (const scope of SCOPES) {
  test(`${scope} grants ${GRANTED[scope].join(', ')} only`, () => {
    expect(SCOPES.filter((needed) => grantsScope([scope], needed))).toEqual(GRANTED[scope]);
  });
}

test('an empty list of scopes grants nothing', () => {
  expect(SCOPES.filter((needed) => grantsScope([], needed))).toEqual([]);
});

test('several scopes grant the union of what each grants', () => {
  expect(SCOPES.filter((needed) => grantsScope(['plugin_log:write', 'plugin:read'], needed))).toEqual([
    'plugin:read',
    'plugin_log:write',
  ]);
});

test('only a project-bound key passes on its account', () => {
  expect(accountOfIssued(aKeyGrant({ accountId: 5, projectIds: [3, 4] }))).toBe(5);
  expect([accountOfIssued(aKeyGrant()), accountOfIssued(null)]).toEqual([null, null]);
});

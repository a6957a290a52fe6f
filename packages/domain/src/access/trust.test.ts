import { describe, expect, test } from 'vitest';
import type { AddressRules } from '../webhook/check-webhook.ts';
import { acceptClaims, checkTrust, type TrustDraft } from './trust.ts';

const AT = new Date('2026-01-02T03:04:05.678Z');
const seconds = (offset: number): number => AT.getTime() / 1000 + offset;
/** Parses the URLs of these tests. */
function parsed(text: string) {
  const [, protocol, hostname] = /^(\w+:)\/\/(\[[^\]]*\]|[^/:?#]+)/.exec(text) ?? [];
  if (protocol === undefined || hostname === undefined) return null;
  return { protocol, hostname, username: '', password: '' };
}

const RULES: AddressRules = {
  allowHttp: false,
  parseUrl: parsed,
  isForbidden: (address) => address !== '1.1.1.1',
};
const INSIDE: AddressRules = { ...RULES, allowHttp: true, isForbidden: (address) => address !== '10.0.0.1' };
const GITHUB = 'https://token.actions.githubusercontent.com';
const TRUST: TrustDraft = {
  name: 'Deploy',
  issuer: 'https://issuer.example.com',
  audience: 'plugins',
  claims: { repository_id: ['1', '2'], environment: ['production'] },
  scopes: ['plugin:write'],
  projectIds: [],
  maxMinutes: 15,
};
const CLAIMS = {
  iss: TRUST.issuer,
  aud: 'plugins',
  exp: seconds(240),
  jti: 'one',
  sub: 'job',
  repository_id: '1',
  environment: 'production',
};

test('a trust is stored with a plain name and each scope once', () => {
  const draft: TrustDraft = {
    ...TRUST,
    name: ' Deploy ',
    scopes: ['plugin:write', 'plugin:write'],
    projectIds: [3, 3],
  };
  expect(checkTrust(draft, RULES)).toEqual({ ...TRUST, projectIds: [3] });
});

const invalid = (attr: string) => expect.objectContaining({ code: 'invalid_input', attr });

const ISSUERS: readonly (readonly [string, AddressRules])[] = [
  ['https://issuer.example.com', RULES],
  ['https://issuer.example.com/realms/a/', RULES],
  ['https://1.1.1.1', RULES],
  ['https://10.0.0.1', INSIDE],
  ['http://10.0.0.1:8080', INSIDE],
];
test.for(ISSUERS)('%s can be an issuer', ([issuer, rules]) => {
  expect(checkTrust({ ...TRUST, issuer }, rules).issuer).toBe(issuer);
});

const NO_ISSUERS: readonly (readonly [string, AddressRules])[] = [
  ['https://10.0.0.1', RULES],
  ['https://[::1]', RULES],
  ['http://10.0.0.1:8080', RULES],
  ['http://issuer.example.com', INSIDE],
  ['ftp://issuer.example.com', INSIDE],
  ['https://issuer.example.com#a', RULES],
  ['issuer', RULES],
];
test.for(NO_ISSUERS)('%s cannot be an issuer', ([issuer, rules]) => {
  expect(() => checkTrust({ ...TRUST, issuer }, rules)).toThrow(invalid('issuer'));
});

test('a trust names an id, or the subject of another issuer than GitHub', () => {
  for (const [claims, issuer] of [
    [{ repository_id: ['1'] }, GITHUB],
    [{ sub: ['job'] }, TRUST.issuer],
  ] as const)
    expect(checkTrust({ ...TRUST, claims, issuer }, RULES).claims).toEqual(claims);
});

const NO_CLAIMS: readonly (readonly [TrustDraft['claims'], string])[] = [
  [{ sub: ['repo:acme/shop:ref:refs/heads/main'] }, GITHUB],
  [{ sub: ['a'] }, 'https://ghe.example.com/_services/token'],
  [{ environment: ['production'] }, TRUST.issuer],
  [{}, TRUST.issuer],
  [{ repository_id: [] }, TRUST.issuer],
  [{ repository_id: ['*'] }, TRUST.issuer],
  [{ repository_id: ['1'], sub: ['repo:*'] }, TRUST.issuer],
  [{ repository_id: ['1'], iss: ['a'] }, TRUST.issuer],
  [{ repository_id: ['1'], 'a b': ['a'] }, TRUST.issuer],
];
test.for(NO_CLAIMS)('a trust cannot have the claims %j of %s', ([claims, issuer]) => {
  expect(() => checkTrust({ ...TRUST, claims, issuer }, RULES)).toThrow(invalid('claims'));
});

test('a trust grants no issue of keys', () => {
  expect(() => checkTrust({ ...TRUST, scopes: ['key:write'] }, RULES)).toThrow(
    expect.objectContaining({ attr: 'scopes' }),
  );
});

describe('the clock', () => {
  const accepts = (claims: object): boolean => {
    try {
      return acceptClaims(TRUST, { ...CLAIMS, ...claims }, AT).jti === 'one';
    } catch {
      return false;
    }
  };

  test('may differ by 30 seconds', () => {
    expect([accepts({ exp: seconds(-29) }), accepts({ exp: seconds(-30) })]).toEqual([true, false]);
    expect([accepts({ exp: seconds(330) }), accepts({ exp: seconds(331) })]).toEqual([true, false]);
    expect([accepts({ nbf: seconds(30) }), accepts({ nbf: seconds(31) })]).toEqual([true, false]);
    expect([accepts({ iat: seconds(30) }), accepts({ iat: seconds(31) })]).toEqual([true, false]);
  });

  test('is no text and no endless number', () => {
    const times = ['1', Number.NaN, Infinity, -1, null, [seconds(100)], 1e300];
    expect(times.map((exp) => accepts({ exp }))).toEqual(times.map(() => false));
    expect(times.map((nbf) => accepts({ nbf }))).toEqual(times.map(() => false));
  });
});

test('an inherited property is no claim', () => {
  const trust = { ...TRUST, claims: { constructor: ['a'] } };
  expect(() => acceptClaims(trust, CLAIMS, AT)).toThrow('It has no claim constructor.');
});

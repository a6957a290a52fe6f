import { describe, expect, test } from 'vitest';
import { callerOf, issueAccessToken, narrowed, type AccessToken } from './access-token.ts';
import type { KeyGrant } from './api-key.ts';
import { aKeyGrant } from './key-grant.fixture.ts';

const AT = new Date('2026-01-02T03:04:05.678Z');
const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1000);
const KEY = aKeyGrant({ scopes: ['plugin:write', 'plugin_runtime'], projectIds: [2, 3] });
const TOKEN: AccessToken = {
  keyHash: 'hash',
  scopes: ['config:write'],
  projectIds: [3],
  pluginIds: [],
  subject: { id: 'user-17' },
  expiresAt: later(900),
};
type Request = Parameters<typeof issueAccessToken>[0]['request'];
const issue = (request: Partial<Request>, issuer: Partial<KeyGrant> = {}): AccessToken =>
  issueAccessToken({
    request: {
      scopes: ['config:write'],
      projectIds: undefined,
      pluginIds: undefined,
      subject: null,
      expiresInSeconds: 900,
      ...request,
    },
    issuer: { ...KEY, ...issuer },
    keyHash: 'hash',
    at: AT,
  });

describe('a token', () => {
  test('has what was requested', () => {
    const subject = { id: 'user-17' };
    const request = { scopes: ['config:write', 'config:write'], projectIds: [3, 3], subject } as const;
    expect(issue(request)).toEqual(TOKEN);
  });

  test('has the projects and plugins of its key by default, whatever they will be', () => {
    expect(issue({ scopes: ['plugin_runtime'] }, { pluginIds: [5] })).toMatchObject({
      projectIds: [],
      pluginIds: [],
    });
  });

  test('never outlives its key', () => {
    expect(issue({}, { expiresAt: later(60) }).expiresAt).toEqual(later(60));
    expect(issue({}, { expiresAt: later(6000) }).expiresAt).toEqual(later(900));
  });

  const REJECTED: readonly (readonly [string, Partial<Request>, Partial<KeyGrant>, object])[] = [
    [
      'a scope that its key lacks',
      { scopes: ['plugin_log:write'] },
      {},
      { code: 'not_granted', attr: 'scopes' },
    ],
    ['every scope', { scopes: ['*'] }, {}, { code: 'not_granted', attr: 'scopes' }],
    [
      'the issue of keys',
      { scopes: ['key:write'] },
      { scopes: ['*'] },
      { code: 'invalid_input', attr: 'scopes' },
    ],
    ['another project', { projectIds: [2, 4] }, {}, { code: 'not_granted', attr: 'project_ids' }],
    ['all projects', { projectIds: [] }, {}, { code: 'not_granted', attr: 'project_ids' }],
    [
      'another plugin',
      { scopes: ['plugin_runtime'], pluginIds: [5, 6] },
      { pluginIds: [5] },
      { code: 'not_granted', attr: 'plugin_ids' },
    ],
    [
      'all plugins',
      { scopes: ['plugin_runtime'], pluginIds: [] },
      { pluginIds: [5] },
      { code: 'not_granted', attr: 'plugin_ids' },
    ],
    [
      'plugins and a scope that they cannot narrow',
      { pluginIds: [5] },
      {},
      { code: 'invalid_input', attr: 'plugin_ids' },
    ],
  ];
  for (const [name, request, issuer, error] of REJECTED) {
    test(`cannot have ${name}`, () => {
      expect(() => issue(request, issuer)).toThrow(expect.objectContaining(error));
    });
  }
});

describe('a request with a token', () => {
  test('has what both the token and the key grant', () => {
    expect(narrowed(KEY, TOKEN)).toEqual({
      ...KEY,
      scopes: ['config:write'],
      projectIds: [3],
      tokenProjectIds: [3],
      expiresAt: TOKEN.expiresAt,
    });
    expect(narrowed({ ...KEY, projectIds: [] }, TOKEN).projectIds).toEqual([3]);
    expect(narrowed(KEY, { ...TOKEN, projectIds: [] }).projectIds).toEqual([2, 3]);
  });

  test('has no project at all if its key has lost them', () => {
    expect(narrowed({ ...KEY, projectIds: [2] }, TOKEN).projectIds).toEqual([0]);
  });

  test('lacks a scope that its key lacks', () => {
    expect(narrowed({ ...KEY, scopes: ['plugin:read'] }, TOKEN).scopes).toEqual([]);
  });

  test('has only the plugins of both', () => {
    const token: AccessToken = { ...TOKEN, scopes: ['plugin_runtime'], pluginIds: [5] };
    expect(narrowed(KEY, token).pluginIds).toEqual([5]);
    expect(narrowed({ ...KEY, pluginIds: [6] }, token).pluginIds).not.toContain(5);
    expect(narrowed({ ...KEY, pluginIds: [6] }, token).pluginIds).toHaveLength(1);
  });

  test('ends with its key', () => {
    expect(narrowed({ ...KEY, expiresAt: later(1) }, TOKEN).expiresAt).toEqual(later(1));
  });
});

test('a renewed token is the same caller, and one for another subject or with other scopes is not', () => {
  expect(callerOf({ ...TOKEN, expiresAt: later(1) })).toBe(callerOf(TOKEN));
  const others: readonly Partial<AccessToken>[] = [
    { scopes: ['plugin:write'] },
    { projectIds: [2] },
    { pluginIds: [5] },
    { subject: { id: 'user-18' } },
    { subject: null },
  ];
  const callers = [TOKEN, ...others.map((other) => ({ ...TOKEN, ...other }))].map(callerOf);
  expect(new Set(callers).size).toBe(callers.length);
});

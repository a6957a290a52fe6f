import { describe, expect, test } from 'vitest';
import type { AccessResult } from './access-probe.ts';
import type { KeyGrant } from './api-key.ts';
import { aKeyGrant } from './key-grant.fixture.ts';
import { authorise, type AccessNeed } from './authorise.ts';

const AT = new Date('2026-01-02T03:04:05.678Z');
const READS_ALL = aKeyGrant();
const IN_PROJECT_2: AccessNeed = { project: 2, scope: 'plugin:read' };

interface Rejection {
  readonly name: string;
  readonly key: Partial<KeyGrant> | null;
  readonly found?: number | null;
  readonly need?: Partial<AccessNeed>;
  readonly code: string;
  readonly message: string;
}

const INVALID = {
  code: 'authentication_failed',
  message: 'Personal API key found in request Authorization header is invalid.',
};
const FORBIDDEN = {
  code: 'project_forbidden',
  message: 'API key does not have access to the requested project: ID 2.',
};
const MISSING = { code: 'project_not_found', message: 'Project not found.' };

const REJECTIONS: readonly Rejection[] = [
  { name: 'an unknown key', key: null, ...INVALID },
  { name: 'an unknown key, before a missing project', key: null, found: null, ...INVALID },
  { name: 'a revoked key', key: { revokedAt: AT }, ...INVALID },
  { name: 'a key that expires right now', key: { expiresAt: AT }, ...INVALID },
  { name: 'an expired key, before its scopes', key: { expiresAt: AT, scopes: [] }, ...INVALID },
  { name: 'a key of another project', key: { projectIds: [1] }, ...FORBIDDEN },
  {
    name: 'a key of another project, even if this one does not exist',
    key: { projectIds: [1] },
    found: null,
    ...FORBIDDEN,
  },
  { name: 'a key of another project, before its scopes', key: { projectIds: [1], scopes: [] }, ...FORBIDDEN },
  { name: 'a missing project', key: {}, found: null, ...MISSING },
  { name: 'a missing project, before the scopes', key: { scopes: [] }, found: null, ...MISSING },
  {
    name: 'a request for the current project when there is none',
    key: {},
    found: null,
    need: { project: 'current' },
    ...MISSING,
  },
  {
    name: 'a key without the scope',
    key: { scopes: ['plugin:read', 'plugin_log:write'] },
    need: { scope: 'plugin:write' },
    code: 'scope_missing',
    message: "API key missing required scope 'plugin:write'",
  },
  {
    name: 'a key without the scope, for a request without a project',
    key: { scopes: ['plugin:write'] },
    found: null,
    need: { project: null, scope: 'plugin_log:write' },
    code: 'scope_missing',
    message: "API key missing required scope 'plugin_log:write'",
  },
];

describe('rejected', () => {
  for (const { name, key, found = 2, need, code, message } of REJECTIONS) {
    test(name, () => {
      const result = resultOf(key === null ? null : { ...READS_ALL, ...key }, found);
      const rejected = expect.objectContaining({ name: 'DomainError', code, message });
      expect(() => authorise(result, { ...IN_PROJECT_2, ...need }, AT)).toThrow(rejected);
    });
  }
});

describe('admitted', () => {
  const admitted: Readonly<Record<string, { key: Partial<KeyGrant>; need: AccessNeed }>> = {
    'a key of every project': { key: {}, need: IN_PROJECT_2 },
    'a key of this project': { key: { projectIds: [1, 2] }, need: IN_PROJECT_2 },
    'a project-bound key, to its current project': {
      key: { projectIds: [2] },
      need: { ...IN_PROJECT_2, project: 'current' },
    },
    'a key that expires in a moment': { key: { expiresAt: new Date(AT.getTime() + 1) }, need: IN_PROJECT_2 },
    'a key that may write, to read': { key: { scopes: ['plugin:write'] }, need: IN_PROJECT_2 },
    'a key with the other scope': {
      key: { scopes: ['config:write'] },
      need: { ...IN_PROJECT_2, orScope: 'config:write' },
    },
    'any valid key if no scope is needed': { key: { scopes: [] }, need: { project: 2, scope: null } },
    'any valid key for a request without a project': {
      key: { projectIds: [9] },
      need: { project: null, scope: null },
    },
  };
  for (const [name, { key, need }] of Object.entries(admitted)) {
    test(name, () => {
      const grant = { ...READS_ALL, ...key };
      expect(authorise(resultOf(grant, 2), need, AT)).toBe(grant);
    });
  }
});

function resultOf(key: KeyGrant | null, projectId: number | null): AccessResult {
  return {
    key,
    projectId,
    familyVersion: 1,
    registryVersion: 1,
    record: null,
  };
}

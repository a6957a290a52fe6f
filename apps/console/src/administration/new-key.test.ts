import type { OwnApiKey } from '@plugin-config/client';
import { FolderOpen } from 'lucide-react';
import { expect, test } from 'vitest';
import { grantableScopes, newKeyOf, idsText } from './new-key.ts';

const FORM = {
  label: ' colleague ',
  scopes: ['plugin:read'],
  isForAll: false,
  projects: ['3', '14'].map((id) => ({ id, icon: FolderOpen, title: `Project ${id}`, hint: '' })),
  isForAllPlugins: true,
  plugins: [],
  expires: '',
} as const;
const UNBOUND = { project_ids: null };

test('a key is for the chosen projects', () => {
  expect(newKeyOf(FORM, UNBOUND)).toEqual({
    label: 'colleague',
    scopes: ['plugin:read'],
    project_ids: [3, 14],
    plugin_ids: null,
  });
});

test('a key is for all projects only if that was chosen, and then for those of the signed-in key', () => {
  const none = { ...FORM, projects: [] };
  expect(() => newKeyOf(none, UNBOUND)).toThrow('Choose the projects of the key, or all projects.');
  expect(newKeyOf({ ...none, isForAll: true }, UNBOUND)).toMatchObject({ project_ids: null });
  expect(newKeyOf({ ...FORM, isForAll: true }, { project_ids: [3, 5] })).toMatchObject({
    project_ids: [3, 5],
  });
});

test('a key is for the chosen plugins, or for all', () => {
  const chosen = { ...FORM, isForAllPlugins: false, plugins: FORM.projects };
  expect(newKeyOf(chosen, UNBOUND)).toMatchObject({ plugin_ids: [3, 14] });
  expect(() => newKeyOf({ ...chosen, plugins: [] }, UNBOUND)).toThrow(
    'Choose the plugins of the key, or all plugins.',
  );
});

test('the first ten projects of a key are listed', () => {
  expect(idsText('projects', null)).toBe('all projects');
  expect(idsText('projects', [5])).toBe('project 5');
  expect(idsText('projects', [3, 5])).toBe('projects 3, 5');
  const ids = Array.from({ length: 1000 }, (_, index) => index + 1);
  expect(idsText('projects', ids)).toBe('projects 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 990 more');
});

test('the expiry is entered in local time and sent in UTC', () => {
  const expires = '2030-01-02T03:04';
  expect(newKeyOf({ ...FORM, expires }, UNBOUND)).toMatchObject({
    expires_at: new Date(expires).toISOString(),
  });
});

test('a key needs at least one scope', () => {
  expect(() => newKeyOf({ ...FORM, scopes: [] }, UNBOUND)).toThrow('Select at least one scope.');
});

test('a key can only grant the scopes it has', () => {
  const key = { scopes: ['key:write', 'plugin:read'] } as unknown as OwnApiKey;
  expect(grantableScopes(key)).toEqual(['plugin:read', 'key:write']);
  expect(grantableScopes({ ...key, scopes: ['*'] })).toContain('plugin_registry:write');
});

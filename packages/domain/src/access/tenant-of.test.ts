import { expect, test } from 'vitest';
import type { KeyGrant } from './api-key.ts';
import { tenantOf } from './tenant-of.ts';

const KEY: KeyGrant = {
  id: 7,
  label: 'Key',
  scopes: [],
  projectIds: [],
  expiresAt: null,
  revokedAt: null,
};

test('keys of the same single project are one tenant; any other key is a tenant by itself', () => {
  const keys: readonly KeyGrant[] = [
    { ...KEY, projectIds: [3] },
    { ...KEY, id: 8, projectIds: [3] },
    { ...KEY, id: 3 },
    { ...KEY, id: 9, projectIds: [3, 4] },
  ];
  const [one, other, ofAll, ofTwo] = keys.map(tenantOf);
  expect(one).toBe(other);
  expect(new Set([one, ofAll, ofTwo]).size).toBe(3);
});

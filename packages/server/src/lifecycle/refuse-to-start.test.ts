import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { CannotStart } from './cannot-start.ts';
import { refuseToStart } from './refuse-to-start.ts';

test('a right that PostgreSQL denies is a reason not to start', async () => {
  const denied = Object.assign(new Error('permission denied for database "shop"'), { code: '42501' });
  await expect(refuseToStart(() => Promise.reject(denied))).rejects.toThrow(
    new CannotStart(
      'The role of DATABASE_URL lacks a right in PostgreSQL: permission denied for database "shop".',
    ),
  );
});

test('a database that is out of reach is none, and any other error is a bug', async () => {
  await refuseToStart(() => Promise.reject(new DomainError('unavailable', 'The database is out of reach.')));
  const bug = new Error('a bug');
  await expect(refuseToStart(() => Promise.reject(bug))).rejects.toBe(bug);
});

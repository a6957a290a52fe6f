import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { CannotStart } from './cannot-start.ts';
import { checkBeforeStart } from './check-before-start.ts';

test('a privilege that the role lacks is a reason not to start', async () => {
  const denied = Object.assign(new Error('permission denied for database "shop"'), { code: '42501' });
  await expect(checkBeforeStart(() => Promise.reject(denied))).rejects.toThrow(
    new CannotStart(
      'The role of DATABASE_URL lacks a privilege in PostgreSQL: permission denied for database "shop".',
    ),
  );
});

test('an unavailable database is ignored, and any other error is rethrown', async () => {
  await checkBeforeStart(() =>
    Promise.reject(new DomainError('unavailable', 'The database is unreachable.')),
  );
  const bug = new Error('a bug');
  await expect(checkBeforeStart(() => Promise.reject(bug))).rejects.toBe(bug);
});

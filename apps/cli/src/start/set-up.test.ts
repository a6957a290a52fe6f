import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { migrateDatabase } from './set-up.ts';

const ADDRESS = 'postgres://plugin:secret@127.0.0.1:5432/plugins';

test.each([
  ['alone', rejected()],
  ['in an AggregateError', new AggregateError([rejected()])],
])('reports why the database is unreachable, %s', async (_, error) => {
  const setUp = {
    migrate: async () => Promise.reject(error),
    firstStart: async () => null,
    masterKeys: async () => [],
  };
  await expect(migrateDatabase(setUp, ADDRESS)).rejects.toThrow(
    'The database could not be migrated: The database is out of reach. connect ECONNREFUSED 127.0.0.1:5432',
  );
});

function rejected(): DomainError {
  return new DomainError('unavailable', 'The database is out of reach.', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  });
}

import { DomainError } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { bringUpToDate } from './set-up.ts';

const ADDRESS = 'postgres://plugin:secret@127.0.0.1:5432/plugins';

test.each([
  ['alone', rejected()],
  ['among others', new AggregateError([rejected()])],
])('an unreachable database is reported with the reason, %s', async (_, error) => {
  const setUp = {
    migrate: async () => Promise.reject(error),
    firstStart: async () => null,
    masterKeys: async () => [],
  };
  await expect(bringUpToDate(setUp, ADDRESS)).rejects.toThrow(
    'The database could not be brought up to date: The database is out of reach. connect ECONNREFUSED 127.0.0.1:5432',
  );
});

function rejected(): DomainError {
  return new DomainError('unavailable', 'The database is out of reach.', {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:5432'),
  });
}

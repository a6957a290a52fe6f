import { expect, test } from 'vitest';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { ormLogger, type OrmWarning } from './orm-logger.ts';

test('only failed and slow queries of the ORM are reported, without their parameters', () =>
  withDatabase(async (database) => {
    const warnings: OrmWarning[] = [];
    database.onOrmWarning((warning) => warnings.push(warning));
    const { em, ProjectRow, ApiKeyRow } = await database.entities();
    await em.findOne(ProjectRow, { name: 'secret' });
    expect(warnings).toEqual([]);
    await em.execute('select pg_sleep(1), ?', ['secret']);
    expect(warnings).toEqual([
      { reason: 'a query was slow', query: 'select pg_sleep(1), ?', ms: expect.any(Number) },
    ]);
    await database.pool.query('drop table api_key_project, api_key');
    await expect(em.findOne(ApiKeyRow, { hash: 'secret' })).rejects.toThrow('does not exist');
    expect(warnings[1]).toMatchObject({
      reason: 'a query failed',
      query: expect.stringContaining('from "api_key"'),
    });
    expect(JSON.stringify(warnings)).not.toContain('secret');
  }));

test('warnings of the ORM are reported, but other messages are not', () => {
  const warnings: OrmWarning[] = [];
  const logger = ormLogger((warning) => warnings.push(warning));
  logger.warn('query', 'Failed to roll back transaction');
  logger.log('deprecated', 'No longer');
  logger.log('discovery', 'found 20 entities');
  expect(warnings).toEqual([{ reason: 'Failed to roll back transaction' }, { reason: 'No longer' }]);
});

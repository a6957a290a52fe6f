import type pg from 'pg';
import { expect, test } from 'vitest';
import { ownRecords } from './ownership.ts';

test('the statement that stores ownership receives no configuration values', async () => {
  const sent: unknown[] = [];
  const query = async ({ values }: pg.QueryConfig) => {
    sent.push(values);
    return { rows: [] };
  };
  const change = {
    id: 1,
    family: 'plugin_configs',
    key: 'geoip',
    preventDestroy: false,
    record: { values: '{"token":"hunter2"}' },
  } as const;
  await ownRecords({ query } as unknown as pg.ClientBase, { projectId: 1, manager: 'team' }, [change]);
  expect(JSON.stringify(sent)).toContain('geoip');
  expect(JSON.stringify(sent)).not.toContain('hunter2');
});

import { COUNTED_RECORDS_MAX, planUpgrade } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();
const CONFIG_SCHEMA = [{ key: 'host', type: 'string', required: true }] as const;
const INSERT = `insert into config_record
  (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version)
  select $1, 'plugin_configs', 7, true, 1, false, now(), now(), 1 from generate_series(1, $2::integer)`;

test('records are counted and judged up to a limit; beyond it, a registration marks all that are invalid, a dry run none', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const { projectId } = await aFamily(ports);
    const registerOn = async ({ plugins }: Pick<typeof ports, 'plugins'>, name: string) =>
      (await plugins.register(aPlugin({ name, configSchema: CONFIG_SCHEMA }), new Map(), anAuthor())).records;
    const markedCount = async () =>
      (
        await ports.plugins.records(
          7,
          { projectIds: [], valid: false, outdated: null },
          { limit: 1, offset: 0 },
        )
      ).count;
    const dry = postgresPorts({ ...database, ...database.dry });
    await database.pool.query(INSERT, [projectId, COUNTED_RECORDS_MAX]);
    const versionRecords = async () =>
      (await ports.pluginVersions.page(7, [], { limit: 1, offset: 0 }))?.items[0]?.records;
    const all = { total: COUNTED_RECORDS_MAX, invalid: COUNTED_RECORDS_MAX };
    expect([await registerOn(dry, 'One'), await markedCount()]).toEqual([all, 0]);
    expect([await registerOn(ports, 'One'), await markedCount()]).toEqual([all, all.total]);
    expect(await versionRecords()).toBe(COUNTED_RECORDS_MAX);

    await database.pool.query('update config_record set invalid = false');
    await database.pool.query(INSERT, [projectId, 1]);
    const uncounted = { total: all.total + 1, invalid: null };
    expect([await registerOn(dry, 'Two'), await markedCount()]).toEqual([uncounted, 0]);
    expect([await registerOn(ports, 'Two'), await markedCount()]).toEqual([uncounted, all.total + 1]);
    expect(await versionRecords()).toBeNull();

    const plan = await planUpgrade(ports, { plugin: 7, version: '0', at: new Date() });
    expect(plan).toMatchObject({ total: all.total + 1, judged: all.total, up_to_date: all.total });
  }));

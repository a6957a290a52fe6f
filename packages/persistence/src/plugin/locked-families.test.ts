import { pluginInfo } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test('a plugin is registered while another session holds a family that attaches it', () =>
  withEmptied(async (database, url) => {
    const ports = postgresPorts(database);
    const { records, plugins } = ports;
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from config_family where project_id = $1 for update', [record.projectId]);
    const began = performance.now();
    await plugins.register(aPlugin({ id: 7 }), { config: '{}', secrets: new Map() }, anAuthor());
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await plugins.find(7)).toEqual(aPlugin({ id: 7 }));
    await holder.end();
    expect((await records.find(record)).value?.pluginInfo).toBe(pluginInfo(aPlugin({ id: 7 })));
    expect(await raised(database.pool)).toBe(false);
    await plugins.raiseLeft();
    expect(await raised(database.pool)).toBe(true);
  }));

async function raised(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query('select from plugin_change');
  return rows.length === 0;
}

import { pluginInfo } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';

const withEmptied = databaseOfFile();

test('a registration does not wait for locked families', () =>
  withEmptied(async (database, url) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from config_family where project_id = $1 for update', [record.projectId]);
    await ports.plugins.register(aPlugin({ id: 7 }), new Map(), anAuthor());
    expect((await ports.records.find(record)).value?.pluginInfo).toBe(pluginInfo(aPlugin({ id: 7 })));
    await holder.end();
  }));

import { pluginInfo } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
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

test('a registration does not mark a record that has been attached to another plugin meanwhile', () =>
  withEmptied(async (database, url) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7, enabled: true });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from config_family where project_id = $1 for update', [record.projectId]);
    const configSchema = [{ key: 'host', type: 'string', required: true }] as const;
    const registering = ports.plugins.register(aPlugin({ id: 7, configSchema }), new Map(), anAuthor());
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
    await holder.query('update config_record set plugin = 8 where id = $1', [record.id]);
    await holder.query('commit');
    await holder.end();
    await registering;
    const { items } = await ports.plugins.records(
      8,
      { projectIds: [], valid: null, outdated: null },
      { limit: 1, offset: 0 },
    );
    expect(items).toMatchObject([{ record: { id: record.id }, valid: true }]);
  }));

test('a new slug does not get an id that a record is being attached to', () =>
  withEmptied(async (database, url) => {
    const ports = postgresPorts(database);
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock_shared($1, 8)', [ADVISORY_LOCKS.plugin]);
    await holder.query('update config_record set plugin = 8 where id = $1', [record.id]);
    const registering = ports.plugins.register({ id: 'slug:geoip', name: 'GeoIP' }, new Map(), anAuthor());
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await holder.query(waiting)).rowCount).toBe(1);
    await holder.query('commit');
    await holder.end();
    expect((await registering).id).toBe(9);
  }));

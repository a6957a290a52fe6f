import { finishRegistrations } from '@plugin-config/domain';
import {
  aFamily,
  aPlugin,
  aRecord,
  aRecordWrite,
  memorySecretBox,
  registerAndSeal,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { migrate } from './migrate.ts';

const withEmptied = databaseOfFile();

const WHOLE = { limit: 10, offset: 0 };
const NOTES = ['unmasked_history', 'unmasked_edition'];
const WITHOUT_TRIGGERS = `
  drop trigger config_record_plugin_trigger on config_record;
  drop trigger plugin_schema_trigger on plugin;
  drop trigger plugin_removal_trigger on plugin`;
/** The tables as they were, which the code would not run on. */
const AS_BEFORE = `
  alter table plugin_change drop secrets;
  ${NOTES.map(
    (notes) =>
      `alter table ${notes} drop constraint ${notes}_pkey, drop keys, add key text, add primary key (record_id, key);`,
  ).join('\n')}
  delete from schema_migration where name = '0008-secrets-of-plugins';
  select setval(pg_get_serial_sequence('schema_migration', 'id'), max(id)) from schema_migration`;

test('a value that was cleared before the migration, in a record that then attached a plugin, is masked for good after it', () =>
  withEmptied(async ({ pool, ...database }, url) => {
    await pool.query(WITHOUT_TRIGGERS);
    const ports = postgresPorts({ ...database, pool });
    const dependencies = { plugins: ports.plugins, secretBox: memorySecretBox() };
    const configSchema = [{ key: 'token', type: 'string', secret: true }] as const;
    await registerAndSeal(dependencies, aPlugin({ id: 8, configSchema }));
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    const set = await ports.records.save(
      aRecordWrite(record, { config: '{"token":"geheim"}' }, { ended: { config: '{}' } }),
    );
    const cleared = await ports.records.save(
      aRecordWrite(set ?? record, { config: '{}' }, { ended: { config: '{"token":"geheim"}' } }),
    );
    const { pluginRevision = null } = (await ports.records.configuration(record, 8)) ?? {};
    const joined = await ports.records.save(aRecordWrite(cleared ?? record, { plugin: 8, pluginRevision }));
    await pool.query(AS_BEFORE);
    await migrate(url);
    await finishRegistrations(dependencies);
    await ports.records.save(aRecordWrite(joined ?? record, { plugin: 9, pluginRevision: null }));
    const { count, items } = await ports.editions.page(record, WHOLE);
    expect(count).toBe(3);
    expect(JSON.stringify(items)).not.toContain('geheim');
  }));

test('the migration keeps what is noted', () =>
  withEmptied(async ({ pool, ...database }, url) => {
    const ports = postgresPorts({ ...database, pool });
    const family = await aFamily(ports);
    const ids = [(await aRecord(ports, family)).id, (await aRecord(ports, family)).id];
    await pool.query(`${WITHOUT_TRIGGERS};${AS_BEFORE}`);
    for (const notes of NOTES) {
      await pool.query(
        `insert into ${notes} (record_id, key, up_to) values ($1, 'token', 0), ($1, 'host', 5), ($2, 'token', 7)`,
        ids,
      );
    }
    await migrate(url);
    for (const notes of NOTES) {
      const { rows } = await pool.query(
        `select record_id::integer as id, array(select unnest(keys) order by 1) as keys, up_to::integer from ${notes} order by 1`,
      );
      expect(rows).toEqual([
        { id: ids[0], keys: ['host', 'token'], up_to: 0 },
        { id: ids[1], keys: ['token'], up_to: 0 },
      ]);
    }
  }));

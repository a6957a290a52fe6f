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
const WITHOUT_TRIGGERS = `
  drop trigger config_record_plugin_trigger on config_record;
  drop trigger plugin_schema_trigger on plugin;
  drop trigger plugin_removal_trigger on plugin;
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
    await migrate(url);
    await finishRegistrations(dependencies);
    await ports.records.save(aRecordWrite(joined ?? record, { plugin: 9, pluginRevision: null }));
    const { count, items } = await ports.editions.page(record, WHOLE);
    expect(count).toBe(3);
    expect(JSON.stringify(items)).not.toContain('geheim');
  }));

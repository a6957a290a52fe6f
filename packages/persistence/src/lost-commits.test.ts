import { registerPlugin, setConfiguration } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from './postgres-ports.ts';
import { findRecord } from './record/find-records.ts';
import { postgresRuntimeConfigurations } from './runtime/postgres-runtime-configurations.ts';
import { aPrimary } from './testing/a-primary.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { TEST_KEYS } from './testing/test-keys.ts';
import { newConfigurations } from './configuration/configurations.ts';

const withEmptied = databaseOfFile();

test('a runtime version from before commits were lost is read again, even if the counters repeat', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    await aRecord(ports, family, { enabled: true });
    const primary = aPrimary();
    const configurations = newConfigurations({ masterKeys: TEST_KEYS, primary });
    /** Loses commits after the statement, while the version is computed. */
    const losing = {
      ...configurations,
      fingerprinter: async (...of: Parameters<typeof configurations.fingerprinter>) => {
        primary.failOver();
        return configurations.fingerprinter(...of);
      },
    };
    const reading = { pool: database.pool, primary, configurations };
    const runtimes = postgresRuntimeConfigurations(reading);
    const before = await runtimes.version(family, null);
    expect((await runtimes.version(family, before)).version).toBe(before.version);
    const lost = await postgresRuntimeConfigurations({ ...reading, configurations: losing }).version(
      family,
      null,
    );
    expect(lost.version).toBe(before.version);
    for (const known of [before, lost]) {
      const after = await runtimes.version(family, known);
      expect(after).toMatchObject({ listVersion: known.listVersion, registryVersion: known.registryVersion });
      expect(after.version).not.toBe(known.version);
    }
  }));

test('a configuration is masked again after commits were lost: a plugin may get the version of a lost registration', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const author = anAuthor();
    await registerPlugin(ports, aPlugin({ id: 7 }), author);
    const family = await aFamily(ports);
    const record = await aRecord(ports, family, { plugin: 7 });
    await setConfiguration(ports, { record, precondition: null, newConfig: { token: 'hunter2' }, author });
    const primary = aPrimary();
    const configurations = newConfigurations({ masterKeys: TEST_KEYS, primary });
    const shown = async () => {
      const reading = { pool: database.pool, configurations };
      return (await findRecord(reading, { ...family, id: record.id })).value?.config;
    };
    expect(await shown()).toContain('hunter2');
    await database.pool.query(`update plugin set secret_names = '{token}' where id = 7`);
    primary.failOver();
    expect(await shown()).not.toContain('hunter2');
  }));

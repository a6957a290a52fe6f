import { registerPlugin, setConfiguration, type FamilyRef } from '@plugin-config/domain';
import { aFamily, anAuthor, aPlugin, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from './postgres-ports.ts';
import { findRecord } from './record/find-records.ts';
import { listChanged, listRecords } from './record/list-records.ts';
import { postgresRuntimeConfigurations } from './runtime/postgres-runtime-configurations.ts';
import { aPrimary } from './testing/a-primary.ts';
import { databaseOfFile } from './testing/database-of-file.ts';
import { TEST_KEYS } from './testing/test-keys.ts';
import { newConfigurations } from './configuration/configurations.ts';

const withEmptied = databaseOfFile();
const FILTER = { enabled: null, plugin: null, valid: null, search: null, deleted: false };

test('what was read before commits were lost is not taken for a later state', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const record = await aRecord(ports, family);
    const primary = aPrimary();
    const configurations = newConfigurations({ masterKeys: TEST_KEYS, primary });
    /** Loses commits after the statement, while the value is completed. */
    const losing = {
      ...configurations,
      mask: async (...of: Parameters<typeof configurations.mask>) => {
        primary.failOver();
        return configurations.mask(...of);
      },
      maskOne: async (...of: Parameters<typeof configurations.maskOne>) => {
        primary.failOver();
        return configurations.maskOne(...of);
      },
      fingerprinter: async (...of: Parameters<typeof configurations.fingerprinter>) => {
        primary.failOver();
        return configurations.fingerprinter(...of);
      },
    };
    const reading = { pool: database.pool, primary, configurations: losing };
    const page = { limit: 10, offset: 0 };
    const since = { timelineId: '', registryVersion: 0, familyVersion: 0, id: 0 };
    const reads: readonly ((of: FamilyRef) => Promise<{ readonly timelineId: string }>)[] = [
      (of) => findRecord(reading, { ...of, id: record.id }),
      (of) => listRecords(reading, of, FILTER, page),
      (of) => listChanged(reading, of, since, FILTER, page),
      (of) => postgresRuntimeConfigurations(reading).version(of, null),
    ];
    for (const [n, read] of reads.entries()) {
      const before = primary.timeline.id;
      expect([n, (await read(family)).timelineId]).toEqual([n, before]);
      expect(primary.timeline.id).not.toBe(before);
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
      const reading = { pool: database.pool, primary, configurations };
      return (await findRecord(reading, { ...family, id: record.id })).value?.config;
    };
    expect(await shown()).toContain('hunter2');
    await database.pool.query(`update plugin set secret_names = '{token}' where id = 7`);
    primary.failOver();
    expect(await shown()).not.toContain('hunter2');
  }));

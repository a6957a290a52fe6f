import { setConfiguration, updateRecord, type ConfigRecord, type RuntimeLimits } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresRuntimeConfigurations } from './postgres-runtime-configurations.ts';

const withEmptied = databaseOfFile();
const KIB = 1 / 1024;
const author = anAuthor();

/** Reads two enabled records of a KiB each under these limits. */
const readWith = (limits: RuntimeLimits) =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const configured: ConfigRecord[] = [];
    for (let n = 0; n < 3; n++) {
      const record = await aRecord(ports, family);
      const newConfig = { pad: 'x'.repeat(1024 - '{"pad":""}'.length) };
      configured.push(await setConfiguration(ports, { record, precondition: null, newConfig, author }));
    }
    const dependencies = { ...ports, requireRegistered: false };
    for (const record of configured.slice(1))
      await updateRecord(dependencies, { record, precondition: null, change: { enabled: true }, author });
    const runtimes = postgresRuntimeConfigurations(database, limits);
    const { version } = await runtimes.version(family, null);
    const read = await runtimes.read(family);
    expect(read.version).toBe(version);
    expect(read.records.map(({ config }) => JSON.stringify(config).length)).toEqual([1024, 1024]);
  });

test('enabled records are read up to the limits of records and bytes', () =>
  readWith({ records: 2, mib: 2 * KIB }));

test.for([
  { records: 1, mib: 2 * KIB },
  { records: 2, mib: 2 * KIB - 2 ** -20 },
])('more than $records records or $mib MiB are rejected', async (limits) => {
  await expect(readWith(limits)).rejects.toMatchObject({ code: 'content_too_large' });
});

import type { AccessResult, AccessQuery, ConfigRecord, KeyGrant } from '@plugin-config/domain';
import { aFamily, aKeyHash, anApiKey, anAuthor, aRecord, aRecordWrite } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { postgresPorts } from '../postgres-ports.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { newRecordCache } from './record-cache.ts';

const withEmptied = databaseOfFile();

const KEY: KeyGrant = {
  id: 1,
  accountId: 1,
  label: 'Key',
  scopes: [],
  projectIds: [],
  expiresAt: null,
  revokedAt: null,
};
const REF = { id: 5, projectId: 3, family: 'plugin_configs' } as const;
const NO_TEXTS = { pluginInfo: null, name: null, description: null, error: null };
const RECORD = { ...REF, version: 2, config: '{}', ...NO_TEXTS } as ConfigRecord;
const QUERY: AccessQuery = { keyHash: 'a', project: 3, family: 'plugin_configs', recordId: 5 };

/** Returns a cache, and a function that makes it lose commits. */
function newCache() {
  let failOver = (): void => undefined;
  const primary = { timelineId: 'l', onLostCommits: (listener: () => void) => void (failOver = listener) };
  const recordCache = newRecordCache({ primary, isDry: false } as Parameters<typeof newRecordCache>[0]);
  const storeResults = (
    record: ConfigRecord | null,
    key: KeyGrant | null = KEY,
    query = QUERY,
    projectId: number | null = 3,
  ): void => recordCache.storeResults([query], [{ key, projectId, record } as AccessResult]);
  return { failOver: () => failOver(), recordCache, storeResults };
}

test('results are cached, with a cache version that no response has', () => {
  const { recordCache, storeResults } = newCache();
  expect(recordCache.lookUp(QUERY)).toBeNull();
  storeResults(RECORD);
  const stale = { familyVersion: 0, registryVersion: 0, timelineId: 'l', cacheVersion: Infinity };
  expect(recordCache.lookUp(QUERY)).toEqual({ ...stale, key: KEY, projectId: 3, record: RECORD });
  expect(recordCache.lookUp({ ...QUERY, recordId: null })).toMatchObject({ key: KEY, record: null });
});

test('a record is only found by its project and family, and only for a cached key', () => {
  const { recordCache, storeResults } = newCache();
  storeResults(RECORD);
  const others: readonly Partial<AccessQuery>[] = [
    { project: 4 },
    { family: 'pipeline_transformation_configs' },
    { recordId: 6 },
    { keyHash: 'b' },
    { project: 'current' },
    { project: null },
  ];
  for (const other of others)
    expect([other, recordCache.lookUp({ ...QUERY, ...other })]).toEqual([other, null]);
});

test('a key that no longer exists is dropped, and missing projects are not cached', () => {
  const { recordCache, storeResults } = newCache();
  const unknown = { ...QUERY, project: 4, recordId: null };
  storeResults(null, KEY, unknown, null);
  storeResults(RECORD);
  expect(recordCache.lookUp(unknown)).toBeNull();
  storeResults(null, KEY, unknown, 4);
  expect(recordCache.lookUp(unknown)).toMatchObject({ key: KEY, projectId: 4 });
  storeResults(null, null);
  expect(recordCache.lookUp(QUERY)).toBeNull();
});

test('the highest version of a record is cached until it is dropped', () => {
  const { recordCache, storeResults } = newCache();
  storeResults({ ...RECORD, version: 4 });
  storeResults({ ...RECORD, version: 3 });
  expect(recordCache.lookUp(QUERY)?.record?.version).toBe(4);
  recordCache.forgetRecord({ ...RECORD, version: 3 });
  expect(recordCache.lookUp(QUERY)?.record?.version).toBe(4);
  recordCache.forgetRecord({ ...RECORD, version: 4 });
  storeResults({ ...RECORD, version: 3 });
  expect(recordCache.lookUp(QUERY)?.record?.version).toBe(3);
});

test('a failover clears the cache', () => {
  const { failOver, recordCache, storeResults } = newCache();
  storeResults(RECORD);
  failOver();
  expect(recordCache.lookUp(QUERY)).toBeNull();
  expect(recordCache.lookUp({ ...QUERY, recordId: null })).toBeNull();
  storeResults({ ...RECORD, version: 1 });
  expect(recordCache.lookUp(QUERY)?.record?.version).toBe(1);
});

test('new keys replace the least recently used ones, but cached keys replace none', () => {
  const { recordCache, storeResults } = newCache();
  const numbered = (n: number): AccessQuery => ({ ...QUERY, keyHash: `key ${n}`, recordId: null });
  const knows = (n: number): boolean => recordCache.lookUp(numbered(n)) !== null;
  for (let n = 0; n < 1000; n++) storeResults(null, KEY, numbered(n));
  storeResults(null, KEY, numbered(1));
  expect(knows(0)).toBe(true);
  storeResults(null, KEY, numbered(1000));
  expect([0, 1, 2, 3, 1000].map(knows)).toEqual([true, true, false, true, true]);
});

test.each(['config', 'pluginInfo', 'name', 'description', 'error'])(
  'new records replace the least recently used ones by size, including their %s; large records are not cached',
  (text) => {
    const { recordCache, storeResults } = newCache();
    storeResults({ ...RECORD, id: 9999, [text]: 'x'.repeat(20_000) });
    for (let id = 1; id <= 1000; id++) storeResults({ ...RECORD, id, [text]: 'x'.repeat(10_000) });
    const has = (recordId: number): boolean => recordCache.lookUp({ ...QUERY, recordId }) !== null;
    expect([has(9999), has(1), has(1000)]).toEqual([false, false, true]);
    const kept = Array.from({ length: 1000 }, (_, i) => i + 1).filter(has).length;
    expect(kept * 10_500).toBeLessThan(8.1 * 2 ** 20);
    expect(kept).toBeGreaterThan(700);
  },
);

test('a process caches records that it has read, created or changed, and drops those that others have changed', () =>
  withEmptied(async (database) => {
    const [own, other] = [postgresPorts(database), postgresPorts(database)];
    await own.keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const family = await aFamily(own);
    const created = await aRecord(own, family);
    const query = { ...QUERY, keyHash: aKeyHash(1), project: family.projectId, recordId: created.id };
    expect(own.probe.lookUp(query)).toBeNull();
    await own.probe.read({ ...query, recordId: null });
    expect(own.probe.lookUp(query)?.record).toEqual(created);
    const changed = await own.records.save(aRecordWrite(created, { name: 'Own' }));
    expect(own.probe.lookUp(query)?.record).toEqual(changed);
    const { record } = await other.probe.read(query);
    if (record === null) throw new Error('The record does not exist.');
    const newest = await other.records.save(aRecordWrite(record, { name: 'Other' }));
    expect(own.probe.lookUp(query)?.record).toEqual(changed);
    expect(await own.records.save(aRecordWrite(record, { name: 'Lost' }))).toBeNull();
    expect(own.probe.lookUp(query)).toBeNull();
    await own.probe.read(query);
    expect(own.probe.lookUp(query)?.record).toEqual(newest);
  }));

test('dry runs do not use the cache', () =>
  withEmptied(async (database) => {
    const [real, dry] = [postgresPorts(database), postgresPorts(database.dry)];
    await real.keys.add(anApiKey({ hash: aKeyHash(1) }), anAuthor());
    const family = await aFamily(real);
    const record = await aRecord(real, family);
    const query = { ...QUERY, keyHash: aKeyHash(1), project: family.projectId, recordId: record.id };
    await dry.records.save(aRecordWrite(record, { name: 'Dry' }));
    await real.probe.read(query);
    await dry.records.save(aRecordWrite(record, { name: 'Dry' }));
    expect(real.probe.lookUp(query)?.record).toEqual(record);
    expect(dry.probe.lookUp(query)).toBeNull();
  }));

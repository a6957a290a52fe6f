import type { AccessProbe, AccessQuery } from '@plugin-config/domain';
import {
  anAuthor,
  aFamily,
  aKeyHash,
  anApiKey,
  aRecord,
  secondsLater,
  aRecordWrite,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { ACCESS } from './query-access.ts';
import { ACCESS_TO_FAMILIES } from './query-access-by-family.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { sentStatements } from '../testing/statements.fixture.ts';

const { onStatement, since } = sentStatements();
const withEmptied = databaseOfFile({ onStatement });

const QUERY: AccessQuery = {
  keyHash: aKeyHash(1),
  project: 1,
  family: 'plugin_configs',
  recordId: null,
};

function queries(count: number): readonly AccessQuery[] {
  return Array.from({ length: count }, (_, i) => ({ ...QUERY, keyHash: aKeyHash(i + 1) }));
}

async function keepQuerying(read: AccessProbe['read'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await Promise.all(queries(30).map(read));
}

test('queries in the same tick share as few statements as possible', async () => {
  await withEmptied(async (database) => {
    const { read } = postgresPorts(database).probe;
    await read(QUERY);
    since();
    const results = await Promise.all(queries(300).map(read));
    expect(results).toHaveLength(300);
    expect(since()).toHaveLength(2);
  });
});

test('a query about a record does not pull queries about families into its statement', async () => {
  await withEmptied(async (database) => {
    const { read } = postgresPorts(database).probe;
    await Promise.all([read(QUERY), read({ ...QUERY, recordId: 1 })]);
    since();
    await Promise.all([...queries(20), { ...QUERY, recordId: 1 }, ...queries(20)].map(read));
    expect(since().toSorted()).toEqual([ACCESS.text, ACCESS_TO_FAMILIES.text].toSorted());
  });
});

test('many queries about small records share one statement, while large records take several', async () => {
  await withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const [small, large] = [await aRecord(ports, family), await aRecord(ports, family)];
    const config = JSON.stringify({ text: 'x'.repeat(256 * 1024 - 100) });
    await ports.records.save(aRecordWrite(large, { config }));
    const { read } = postgresPorts(database).probe;
    const about = ({ id }: { readonly id: number }): AccessQuery => ({
      ...QUERY,
      project: family.projectId,
      recordId: id,
    });
    const statementsOf = async (count: number, query: AccessQuery): Promise<number> => {
      since();
      await Promise.all(Array.from({ length: count }, () => read(query)));
      return since().length;
    };
    for (let i = 0; i < 60; i++) await read(about(small));
    expect(await statementsOf(200, about(small))).toBe(1);
    await read(about(large));
    expect(await statementsOf(200, about(small))).toBeGreaterThan(5);
  });
});

test('a query never joins a statement that was sent before it', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { read } = postgresPorts(database).probe;
    const { id } = await keys.add(anApiKey({ hash: QUERY.keyHash }), anAuthor());
    const earlier = Array.from({ length: 40 }, () => read(QUERY));
    await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
    expect((await read(QUERY)).key?.revokedAt).toEqual(secondsLater(1));
    await Promise.all(earlier);
  }));

test('a revocation is visible to the next query while other queries are running', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { read } = postgresPorts(database).probe;
    const ended = new AbortController();
    const others = keepQuerying(read, ended.signal);
    for (let n = 100; n < 130; n++) {
      const { id } = await keys.add(anApiKey({ hash: aKeyHash(n) }), anAuthor());
      expect((await read({ ...QUERY, keyHash: aKeyHash(n) })).key).toMatchObject({ id, revokedAt: null });
      await keys.revoke(id, null, anAuthor({ at: secondsLater(n) }));
      expect((await read({ ...QUERY, keyHash: aKeyHash(n) })).key).toMatchObject({
        revokedAt: secondsLater(n),
      });
    }
    ended.abort();
    await others;
  }));

test('queries with and without a record share a statement, and each gets its result', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const { read } = postgresPorts(database).probe;
    const about = { ...QUERY, project: family.projectId };
    const results = await Promise.all([
      read({ ...about, recordId: id }),
      read(about),
      read({ ...about, recordId: id + 1 }),
    ]);
    expect(results.map(({ record }) => record?.id ?? null)).toEqual([id, null, null]);
  }));

test('project 0 is a missing project, not the current project', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    await aFamily(ports);
    await ports.keys.add(anApiKey({ hash: QUERY.keyHash }), anAuthor());
    const { read } = postgresPorts(database).probe;
    expect(await read({ ...QUERY, project: 0 })).toMatchObject({ projectId: null, familyVersion: 0 });
  }));

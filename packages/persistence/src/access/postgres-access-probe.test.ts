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

async function keepAsking(ask: AccessProbe['ask'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await Promise.all(queries(30).map(ask));
}

test('the queries of a tick share as few statements as possible', async () => {
  await withEmptied(async (database) => {
    const { ask } = postgresPorts(database).probe;
    await ask(QUERY);
    since();
    const answers = await Promise.all(queries(300).map(ask));
    expect(answers).toHaveLength(300);
    expect(since()).toHaveLength(2);
  });
});

test('a query about a record does not send those about families through its statement', async () => {
  await withEmptied(async (database) => {
    const { ask } = postgresPorts(database).probe;
    await Promise.all([ask(QUERY), ask({ ...QUERY, recordId: 1 })]);
    since();
    await Promise.all([...queries(20), { ...QUERY, recordId: 1 }, ...queries(20)].map(ask));
    expect(since().toSorted()).toEqual([ACCESS.text, ACCESS_TO_FAMILIES.text].toSorted());
  });
});

test('many queries about small records share a statement, those about large ones take several', async () => {
  await withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const [small, large] = [await aRecord(ports, family), await aRecord(ports, family)];
    const config = JSON.stringify({ text: 'x'.repeat(256 * 1024 - 100) });
    await ports.records.save(aRecordWrite(large, { config }));
    const { ask } = postgresPorts(database).probe;
    const about = ({ id }: { readonly id: number }): AccessQuery => ({
      ...QUERY,
      project: family.projectId,
      recordId: id,
    });
    const statementsOf = async (count: number, query: AccessQuery): Promise<number> => {
      since();
      await Promise.all(Array.from({ length: count }, () => ask(query)));
      return since().length;
    };
    for (let i = 0; i < 60; i++) await ask(about(small));
    expect(await statementsOf(200, about(small))).toBe(1);
    await ask(about(large));
    expect(await statementsOf(200, about(small))).toBeGreaterThan(5);
  });
});

test('a query never joins a statement that was sent before it', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { ask } = postgresPorts(database).probe;
    const { id } = await keys.add(anApiKey({ hash: QUERY.keyHash }), anAuthor());
    const asking = Array.from({ length: 40 }, () => ask(QUERY));
    await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
    expect((await ask(QUERY)).key?.revokedAt).toEqual(secondsLater(1));
    await Promise.all(asking);
  }));

test('a revoked key is reported as revoked from the next query on while others are asked', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { ask } = postgresPorts(database).probe;
    const ended = new AbortController();
    const others = keepAsking(ask, ended.signal);
    for (let n = 100; n < 130; n++) {
      const { id } = await keys.add(anApiKey({ hash: aKeyHash(n) }), anAuthor());
      expect((await ask({ ...QUERY, keyHash: aKeyHash(n) })).key).toMatchObject({ id, revokedAt: null });
      await keys.revoke(id, null, anAuthor({ at: secondsLater(n) }));
      expect((await ask({ ...QUERY, keyHash: aKeyHash(n) })).key).toMatchObject({
        revokedAt: secondsLater(n),
      });
    }
    ended.abort();
    await others;
  }));

test('queries with and without a record share a statement, and each gets its own answer', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const { ask } = postgresPorts(database).probe;
    const about = { ...QUERY, project: family.projectId };
    const answers = await Promise.all([
      ask({ ...about, recordId: id }),
      ask(about),
      ask({ ...about, recordId: id + 1 }),
    ]);
    expect(answers.map(({ record }) => record?.id ?? null)).toEqual([id, null, null]);
  }));

test('project 0 is a missing project and not the current one', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    await aFamily(ports);
    await ports.keys.add(anApiKey({ hash: QUERY.keyHash }), anAuthor());
    const { ask } = postgresPorts(database).probe;
    expect(await ask({ ...QUERY, project: 0 })).toMatchObject({ projectId: null, familyVersion: 0 });
  }));

import type { AccessProbe, AccessQuestion } from '@plugin-config/domain';
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
import { ACCESS } from './ask-about-all.ts';
import { ACCESS_TO_FAMILIES } from './ask-about-families.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { postgresPorts } from '../postgres-ports.ts';
import { sentStatements } from '../testing/statements.fixture.ts';

const { onStatement, since } = sentStatements();
const withEmptied = databaseOfFile({ onStatement });

const QUESTION: AccessQuestion = {
  keyHash: aKeyHash(1),
  project: 1,
  family: 'plugin_configs',
  recordId: null,
};

function questions(count: number): readonly AccessQuestion[] {
  return Array.from({ length: count }, (_, i) => ({ ...QUESTION, keyHash: aKeyHash(i + 1) }));
}

async function keepAsking(ask: AccessProbe['ask'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await Promise.all(questions(30).map(ask));
}

test('the questions of a tick share as few statements as possible', async () => {
  await withEmptied(async (database) => {
    const { ask } = postgresPorts(database).probe;
    await ask(QUESTION);
    since();
    const answers = await Promise.all(questions(300).map(ask));
    expect(answers).toHaveLength(300);
    expect(since()).toHaveLength(2);
  });
});

test('a question about a record does not send those about families through its statement', async () => {
  await withEmptied(async (database) => {
    const { ask } = postgresPorts(database).probe;
    await Promise.all([ask(QUESTION), ask({ ...QUESTION, recordId: 1 })]);
    since();
    await Promise.all([...questions(20), { ...QUESTION, recordId: 1 }, ...questions(20)].map(ask));
    expect(since().toSorted()).toEqual([ACCESS.text, ACCESS_TO_FAMILIES.text].toSorted());
  });
});

test('many questions about small records share a statement, those about large ones take several', async () => {
  await withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const [small, large] = [await aRecord(ports, family), await aRecord(ports, family)];
    const config = JSON.stringify({ text: 'x'.repeat(256 * 1024 - 100) });
    await ports.records.save(aRecordWrite(large, { config }));
    const { ask } = postgresPorts(database).probe;
    const about = ({ id }: { readonly id: number }): AccessQuestion => ({
      ...QUESTION,
      project: family.projectId,
      recordId: id,
    });
    const statementsOf = async (count: number, question: AccessQuestion): Promise<number> => {
      since();
      await Promise.all(Array.from({ length: count }, () => ask(question)));
      return since().length;
    };
    for (let i = 0; i < 60; i++) await ask(about(small));
    expect(await statementsOf(200, about(small))).toBe(1);
    await ask(about(large));
    expect(await statementsOf(200, about(small))).toBeGreaterThan(5);
  });
});

test('a question never joins a statement that was sent before it', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { ask } = postgresPorts(database).probe;
    const { id } = await keys.add(anApiKey({ hash: QUESTION.keyHash }), anAuthor());
    const asking = Array.from({ length: 40 }, () => ask(QUESTION));
    await keys.revoke(id, null, anAuthor({ at: secondsLater(1) }));
    expect((await ask(QUESTION)).key?.revokedAt).toEqual(secondsLater(1));
    await Promise.all(asking);
  }));

test('a revoked key is reported as revoked from the next question on while others are asked', () =>
  withEmptied(async (database) => {
    const { keys } = postgresPorts(database);
    const { ask } = postgresPorts(database).probe;
    const ended = new AbortController();
    const others = keepAsking(ask, ended.signal);
    for (let n = 100; n < 130; n++) {
      const { id } = await keys.add(anApiKey({ hash: aKeyHash(n) }), anAuthor());
      expect((await ask({ ...QUESTION, keyHash: aKeyHash(n) })).key).toMatchObject({ id, revokedAt: null });
      await keys.revoke(id, null, anAuthor({ at: secondsLater(n) }));
      expect((await ask({ ...QUESTION, keyHash: aKeyHash(n) })).key).toMatchObject({
        revokedAt: secondsLater(n),
      });
    }
    ended.abort();
    await others;
  }));

test('questions with and without a record share a statement, and each gets its own answer', () =>
  withEmptied(async (database) => {
    const ports = postgresPorts(database);
    const family = await aFamily(ports);
    const { id } = await aRecord(ports, family);
    const { ask } = postgresPorts(database).probe;
    const about = { ...QUESTION, project: family.projectId };
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
    await ports.keys.add(anApiKey({ hash: QUESTION.keyHash }), anAuthor());
    const { ask } = postgresPorts(database).probe;
    expect(await ask({ ...QUESTION, project: 0 })).toMatchObject({ projectId: null, revision: 0 });
  }));

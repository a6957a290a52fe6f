import { ingest, type Message } from '@plugin-config/domain';
import { aDeadMessage, aDelivery, aFamily, anEntry, anErrorReport, aRecord } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { sentStatements } from '../testing/statements.fixture.ts';

const { onStatement, since } = sentStatements();
const withEmptied = databaseOfFile({ onStatement });

type Batch = (recordId: number) => readonly Message[];

const many = (length: number, message: () => Message): readonly Message[] => Array.from({ length }, message);

/** Batches and the maximum number of their statements. Each statement is a round trip. */
const BATCHES: Readonly<Record<string, readonly [Batch, number]>> = {
  'many entries': [(id) => many(100, () => anEntry({ id })), 8],
  'few entries': [(id) => many(10, () => anEntry({ id })), 7],
  deliveries: [(id) => many(10, () => aDelivery({ id })), 7],
  'an error': [(id) => [anErrorReport({ id }, `error ${Math.random()}`)], 8],
  'dead messages': [() => many(10, () => aDeadMessage({ text: `${Math.random()}` })), 4],
  'some of everything': [
    (id) => [
      ...many(100, () => anEntry({ id })),
      aDelivery({ id }),
      anErrorReport({ id }, `error ${Math.random()}`),
      aDeadMessage({ text: `${Math.random()}` }),
    ],
    16,
  ],
};

test.each([
  ['many', 100],
  ['few', 10],
])('a batch of %s entries takes one more statement if the log is followed', (name, length) => {
  return withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [record, other] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    const [, usual = 0] = BATCHES[`${name} entries`] ?? [];
    const batch = () => many(length, () => anEntry(record));
    await ingest(ports, batch());
    await ports.sequence.follow([other]);
    since();
    await ingest(ports, batch());
    expect(since()).toHaveLength(usual);
    await ports.sequence.follow([record]);
    since();
    await ingest(ports, batch());
    expect(since()).toHaveLength(usual + 1);
  });
});

test.each(Object.entries(BATCHES))(
  'a batch of %s takes no more statements than necessary',
  (_, [batch, count]) => {
    return withEmptied(async (database) => {
      const ports = logPortsOf(database);
      const { id } = await aRecord(ports, await aFamily(ports));
      await ingest(ports, batch(id));
      since();
      await ingest(ports, batch(id));
      expect(since()).toHaveLength(count);
    });
  },
);

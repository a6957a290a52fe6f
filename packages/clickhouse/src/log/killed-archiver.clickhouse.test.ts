/** @module-tag long */

import {
  archiveDay,
  DAY_MS,
  ingest,
  startOfDay,
  type EntryMessage,
  type LogFilter,
} from '@plugin-config/domain';
import { aFamily, anEntry, aRecord, seededPick, type LogPorts } from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { withOwnArchive, type Tiers } from '../testing/clickhouse-ports.fixture.ts';

const withTiers = withOwnArchive();
const OLD = startOfDay(Date.now()) - 4 * DAY_MS;
const EVERY: LogFilter = {
  types: [],
  source: null,
  instanceId: null,
  after: null,
  before: null,
  search: null,
};
const TYPES = ['LOG', 'ERROR', 'OWN'];
const STEPS = ['append', 'summary here', 'summary there', 'finish'] as const;
const KILLS = 50;
const LATE = 20;

type Step = (typeof STEPS)[number];

/** Returns ports that throw before or after a step, as if the archiver had been killed there. */
function killedAt({ archive, archivable }: Tiers, step: Step, when: 'before' | 'after') {
  const killed = async (here: Step, at: typeof when): Promise<void> => {
    if (here === step && at === when) throw new Error('killed');
  };
  const at = async <T>(here: Step, work: () => Promise<T>): Promise<T> => {
    await killed(here, 'before');
    const result = await work();
    await killed(here, 'after');
    return result;
  };
  return {
    archive: {
      append: (...of: Parameters<typeof archive.append>) => at('append', () => archive.append(...of)),
      summary: (...of: Parameters<typeof archive.summary>) =>
        at('summary there', () => archive.summary(...of)),
    },
    archivable: {
      ...archivable,
      summary: (...of: Parameters<typeof archivable.summary>) =>
        at('summary here', () => archivable.summary(...of)),
      finish: (...of: Parameters<typeof archivable.finish>) => at('finish', () => archivable.finish(...of)),
    },
  };
}

/** Compares a random page with the acknowledged entries. */
async function expectPages(
  { logs }: Pick<LogPorts, 'logs'>,
  record: Parameters<LogPorts['logs']['page']>[0],
  stored: readonly EntryMessage[],
  pick: (below: number) => number,
): Promise<void> {
  const type = TYPES[pick(9)];
  const [after, before] = [pick(4), pick(4)].map((day) =>
    pick(2) === 0 ? null : new Date(OLD + day * DAY_MS + pick(DAY_MS)),
  );
  const filter = {
    ...EVERY,
    types: type === undefined ? [] : [type],
    after: after ?? null,
    before: before ?? null,
    search: pick(5) === 0 ? '1' : null,
  };
  const matching = stored
    .filter(
      (entry) =>
        (type === undefined || entry.type === type) &&
        (filter.after === null || entry.timestamp > filter.after.getTime()) &&
        (filter.before === null || entry.timestamp < filter.before.getTime()) &&
        (filter.search === null || entry.message.includes(filter.search)),
    )
    .toSorted((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1));
  const page = { limit: 1 + pick(60), offset: pick(2) * pick(matching.length + 5) };
  const { count, items } = await logs.page(record, filter, page);
  expect({ filter, page, count, ids: items.map(({ id }) => id) }).toEqual({
    filter,
    page,
    count: matching.length,
    ids: matching.slice(page.offset, page.offset + page.limit).map(({ id }) => id),
  });
}

test('killing the archiver at any step, while late entries arrive and pages are read, never loses or repeats an entry', () =>
  withTiers(async (ports, tiers) => {
    const pick = seededPick(20_261_126);
    const record = await aRecord(ports, await aFamily(ports));
    const stored: EntryMessage[] = [];
    const store = async (count: number): Promise<void> => {
      const entries = Array.from({ length: count }, (_, i) =>
        anEntry(record, {
          timestamp: OLD + pick(3) * DAY_MS + (pick(2) === 0 ? pick(DAY_MS) : pick(50)),
          type: TYPES[pick(TYPES.length)] ?? 'LOG',
          message: `${stored.length + i}`,
        }),
      );
      const again = stored.filter(() => pick(40) === 0);
      expect(await ingest(ports, [...again, ...entries])).toEqual([
        ...again.map(() => 'duplicate'),
        ...entries.map(() => 'stored'),
      ]);
      stored.push(...entries);
    };
    await store(400);
    for (let kill = 0; kill < KILLS; kill++) {
      const step = STEPS[kill % STEPS.length] ?? 'append';
      const dependencies = killedAt(tiers, step, pick(2) === 0 ? 'before' : 'after');
      const reading = Array.from({ length: 4 }, () => expectPages(ports, record, [...stored], pick));
      const [due] = await tiers.archivable.due(1);
      const run = due && archiveDay(dependencies, due).catch((error: unknown) => error);
      await Promise.all([run, ...reading]);
      if (pick(3) > 0) await Promise.all([store(1 + pick(LATE)), due && archiveDay(tiers, due)]);
      await expectPages(ports, record, stored, pick);
    }
    await tiers.archiveAll();
    expect(await tiers.archivable.due(1)).toEqual([]);
    for (let reads = 0; reads < 40; reads++) await expectPages(ports, record, stored, pick);
    const range = { granularity: 'day', from: OLD, to: OLD + 4 * DAY_MS } as const;
    const counts = await ports.logCounts.ofLog(record, range, { types: [], source: null });
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(stored.length);
  }));

/** @module-tag long */

import {
  archiveDay,
  DAY_MS,
  DomainError,
  ingest,
  startOfDay,
  type ConfigRecord,
  type EntryMessage,
  type LogFilter,
} from '@plugin-config/domain';
import {
  aFamily,
  anEntry,
  aRecord,
  countsInMemory,
  expectGuarantees,
  expectResumable,
  seededPick,
  streaming,
  type LogPorts,
  EVERY,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { withOwnArchive, type Tiers } from '../testing/clickhouse-ports.fixture.ts';

const withTiers = withOwnArchive();
const DAYS = 3;
const OLD = startOfDay(Date.now()) - (DAYS + 1) * DAY_MS;
const WHOLE_TIME = { from: OLD, to: OLD + DAYS * DAY_MS };
const TYPES = ['LOG', 'ERROR', 'OWN'];
const STEPS = ['append', 'summary here', 'summary there', 'finish'] as const;
const ENTRIES = 400;
const KILLS = 50;
const LATE = 20;
/** Small, so that an archiver can be killed with a part of a day copied. */
const CHUNK = 25;

type Step = (typeof STEPS)[number];
type Pick = ReturnType<typeof seededPick>;

/** Thrown instead of killing the archiver. */
class Killed extends Error {}

interface Kill {
  readonly step: Step;
  readonly when: 'before' | 'after';
  /** How many times the step runs before the kill. */
  readonly earlier: number;
}

/**
 * Wraps the tiers so that they copy in small chunks, and stop at a step as if the archiver had been killed there. Before a day is
 * dropped, waits for the streams, since they skip entries that are archived before they read them.
 */
function archiver({ archive, ended }: Tiers, streams: Streams, kill: Kill | null) {
  let earlier = 0;
  const at = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    const isKilled = kill?.step === step && earlier++ === kill.earlier;
    if (isKilled && kill.when === 'before') throw new Killed();
    const result = await work();
    if (isKilled) throw new Killed();
    return result;
  };
  return {
    archive: {
      append: (...of: Parameters<typeof archive.append>) => at('append', () => archive.append(...of)),
      summary: (...of: Parameters<typeof archive.summary>) =>
        at('summary there', () => archive.summary(...of)),
    },
    ended: {
      ...ended,
      async *chunks(day: number) {
        for await (const chunk of ended.chunks(day)) {
          for (let from = 0; from < chunk.length; from += CHUNK) yield chunk.slice(from, from + CHUNK);
        }
      },
      summary: (...of: Parameters<typeof ended.summary>) => at('summary here', () => ended.summary(...of)),
      takeOut: (...of: Parameters<typeof ended.takeOut>) =>
        at('finish', async () => {
          await streams.catchUp();
          return ended.takeOut(...of);
        }),
    },
  };
}

interface Streams {
  /** Reads all entries stored so far. */
  catchUp(): Promise<void>;
  /** Ends the streams, and checks all guarantees for these entries. */
  expectAll(stored: readonly string[]): Promise<void>;
}

/** Follows a log by two streams: one is never interrupted, the other resumes for each read. */
async function follow(ports: LogPorts, record: ConfigRecord): Promise<Streams> {
  const { open } = streaming(ports);
  const numberIn = (cursor: string): number => Number(/-(\d+)$/.exec(cursor)?.[1]);
  const { reader, stop } = await open(record);
  const received = reader.take(Infinity);
  await expect.poll(() => reader.cursor).not.toBe('');
  const parts: (readonly string[])[] = [];
  let { cursor } = reader;
  return {
    catchUp: async () => {
      const [position] = await ports.sequence.follow([record]);
      const end = position?.number ?? Infinity;
      await expect.poll(() => numberIn(reader.cursor)).toBeGreaterThanOrEqual(end);
      const missing = end - numberIn(cursor);
      if (missing <= 0) return;
      const resumed = await open(record, { cursor });
      parts.push(await resumed.reader.take(missing));
      ({ cursor } = resumed.reader);
    },
    expectAll: async (stored) => {
      stop();
      const uninterrupted = await received;
      expectGuarantees(uninterrupted, stored);
      expectResumable(parts, uninterrupted);
    },
  };
}

type Contents = readonly EntryMessage[];

function newestFirst(entries: Contents): Contents {
  return entries.toSorted((a, b) => b.timestamp - a.timestamp || (a.id < b.id ? 1 : -1));
}

function matching(entries: Contents, { types, after, before, search }: LogFilter): Contents {
  return entries.filter(
    ({ type, timestamp, message }) =>
      (types.length === 0 || types.includes(type)) &&
      (after === null || timestamp > after.getTime()) &&
      (before === null || timestamp < before.getTime()) &&
      (search === null || message.includes(search)),
  );
}

/** Reads the log, and checks every response against the possible contents: those before and after a concurrent batch. */
function readerOf(ports: LogPorts, record: ConfigRecord, pick: Pick) {
  const aFilter = (): LogFilter => {
    const type = TYPES[pick(9)];
    const aMoment = (): Date | null =>
      pick(2) === 0 ? null : new Date(OLD + pick(DAYS + 1) * DAY_MS + pick(DAY_MS));
    return {
      ...EVERY,
      types: type === undefined ? [] : [type],
      after: aMoment(),
      before: aMoment(),
      search: pick(5) === 0 ? '1' : null,
    };
  };
  return {
    page: async (...contents: readonly Contents[]): Promise<void> => {
      const filter = aFilter();
      const page = { limit: 1 + pick(60), offset: pick(2) * pick((contents[0]?.length ?? 0) + 5) };
      const { count, items } = await ports.logs.page(record, filter, page);
      const possible = contents.map((entries) => {
        const found = newestFirst(matching(entries, filter));
        const ids = found.slice(page.offset, page.offset + page.limit).map(({ id }) => id);
        return { filter, page, count: found.length, ids };
      });
      expect(possible).toContainEqual({ filter, page, count, ids: items.map(({ id }) => id) });
    },

    counts: async (...contents: readonly Contents[]): Promise<void> => {
      const range = { ...WHOLE_TIME, granularity: pick(2) === 0 ? 'hour' : 'day' } as const;
      const words = { types: pick(2) === 0 ? [] : ['ERROR'], source: null };
      const counts = await ports.logCounts.ofLog(record, range, words);
      expect(contents.map((entries) => countsInMemory(entries, range, words))).toContainEqual(counts);
    },

    /** Pages through the whole log, which must not change in between. */
    pageThrough: async (content: Contents): Promise<void> => {
      const ids: string[] = [];
      for (;;) {
        const { count, items } = await ports.logs.page(record, EVERY, { limit: 50, offset: ids.length });
        expect(count).toBe(content.length);
        if (items.length === 0) break;
        ids.push(...items.map(({ id }) => id));
      }
      expect(ids).toEqual(newestFirst(content).map(({ id }) => id));
    },
  };
}

test(
  'killing the archiver at any step, amid late entries, page reads and streams, never loses or repeats an entry',
  { timeout: 600_000 },
  () =>
    withTiers(async (ports, tiers) => {
      const pick = seededPick(20_261_126);
      const record = await aRecord(ports, await aFamily(ports));
      const reader = readerOf(ports, record, pick);
      const stored: EntryMessage[] = [];
      const aBatch = (count: number): Contents =>
        Array.from({ length: count }, (_, i) =>
          anEntry(record, {
            timestamp: OLD + pick(DAYS) * DAY_MS + (pick(2) === 0 ? pick(DAY_MS) : pick(50)),
            type: TYPES[pick(TYPES.length)] ?? 'LOG',
            message: `${stored.length + i}`,
          }),
        );
      const store = async (entries: Contents): Promise<void> => {
        const again = stored.filter(() => pick(40) === 0);
        expect(await ingest(ports, [...again, ...entries])).toEqual([
          ...again.map(() => 'duplicate'),
          ...entries.map(() => 'stored'),
        ]);
      };
      /** Stores new entries, resends some, and reads at the same time. */
      const storeBeside = async (count: number, work: () => Promise<unknown>): Promise<void> => {
        const [before, batch] = [[...stored], aBatch(count)];
        const after = [...before, ...batch];
        const reads = [reader.page, reader.page, reader.counts].map((read) => read(before, after));
        await Promise.all([store(batch), work(), ...reads]);
        stored.push(...batch);
      };
      await storeBeside(ENTRIES, async () => undefined);
      const streams = await follow(ports, record);
      /** Archives the oldest day that is due, unless it is in use. Resolves to whether the archiver was killed. */
      const archiveNext = async (kill: Kill | null): Promise<boolean> => {
        const [due] = await tiers.ended.due(1);
        if (due === undefined) return false;
        try {
          await archiveDay(archiver(tiers, streams, kill), due);
        } catch (error) {
          if (error instanceof Killed) return true;
          if (!(error instanceof DomainError) || error.code !== 'busy') throw error;
        }
        return false;
      };

      let kills = 0;
      while (kills < KILLS) {
        const step = STEPS[kills % STEPS.length] ?? 'append';
        const when = pick(2) === 0 ? 'before' : 'after';
        const kill: Kill = { step, when, earlier: step === 'append' ? pick(3) : 0 };
        const reads = [reader.page(stored), reader.page(stored), reader.counts(stored)];
        const [isKilled] = await Promise.all([archiveNext(kill), reader.pageThrough(stored), ...reads]);
        if (isKilled) kills++;
        await storeBeside(1 + pick(LATE), () => archiveNext(null));
        await reader.page(stored);
      }

      await streams.catchUp();
      await tiers.archiveAll();
      expect(await tiers.ended.due(1)).toEqual([]);
      for (let reads = 0; reads < 40; reads++) await reader.page(stored);
      await reader.pageThrough(stored);
      await reader.counts(stored);
      await ports.upkeep.sumUpProjects();
      const [range, every] = [
        { ...WHOLE_TIME, granularity: 'hour' },
        { types: [], source: null },
      ] as const;
      expect(await ports.logCounts.ofProject(record.projectId, range, every)).toEqual(
        countsInMemory(stored, range, every),
      );
      await streams.expectAll(stored.slice(ENTRIES).map(({ id }) => id));
    }),
);

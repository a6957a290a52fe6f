import { findEntry, ingest, KEYS_MAX, pageAround, type LogFilter } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { MOMENT } from '../builders/an-author.ts';
import { anEntry } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { everyPage } from './every-page.ts';
import { EVERY, logOf } from './log-of.ts';
import { WHOLE } from './read-state.ts';

const ANOTHER_INSTANCE = '11111111-2222-4333-8444-555555555555';

function anId(last: string): string {
  return `0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e${last}`;
}

export function logEntryStoreContract(test: TestWith<LogPorts>): void {
  test('a page ends before its messages exceed the size limit of a page, with any filter', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const [most, message] = [83, 'ü'.repeat(25_000)];
    const entries = Array.from({ length: most + 2 }, (_, i) =>
      anEntry(record, { timestamp: MOMENT.getTime() + i, type: ['WARN', 'INFO'][i % 2] ?? '', message }),
    );
    await ingest(ports, [anEntry(record, { type: 'LOG' }), ...entries]);
    const filters: readonly Partial<LogFilter>[] = [
      { types: ['WARN', 'INFO'] },
      { after: new Date(MOMENT.getTime() - 1), source: 'PLUGIN' },
      { search: 'Ü' },
      { instanceId: entries[0]?.instanceId ?? '' },
    ];
    for (const filter of filters) {
      const pages = await everyPage((page) => ports.logs.page(record, { ...EVERY, ...filter }, page));
      const ids = pages.flat().map(({ id }) => id);
      expect(pages.map(({ length }) => length)).toEqual([most, ids.length - most]);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const ofOne = await everyPage((page) => ports.logs.page(record, { ...EVERY, types: ['WARN'] }, page));
    expect(ofOne.map(({ length }) => length)).toEqual([43]);
  });

  test('a log and its keys are read only under their own record and project', async (ports) => {
    const family = await aFamily(ports);
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    await ingest(ports, [anEntry(record), anEntry(sister), anEntry(sister)]);
    expect(await logOf(ports, record)).toHaveLength(1);
    expect(await ports.logs.newestKeys(record, EVERY, 10)).toHaveLength(1);
    const elsewhere = { projectId: record.projectId + 1, id: record.id };
    for (const filter of [
      EVERY,
      { ...EVERY, types: ['LOG'] },
      { ...EVERY, search: 'e' },
      { ...EVERY, after: new Date(0) },
    ]) {
      expect(await ports.logs.page(elsewhere, filter, WHOLE)).toEqual({ count: 0, items: [] });
      expect(await ports.logs.newestKeys(elsewhere, filter, 10)).toEqual([]);
    }
    expect(await ports.logs.page({ projectId: 1, id: 999_999 }, EVERY, WHOLE)).toEqual({
      count: 0,
      items: [],
    });
  });

  test('a search matches a literal part of the message and ignores case', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const messages = ['100% of ÄPFEL', '100 of äpfel', 'a_b', 'aXb', 'back\\slash', '', 'été 🚀'];
    await ingest(
      ports,
      messages.map((message, i) => anEntry(record, { message, timestamp: MOMENT.getTime() - i })),
    );
    const found = async (search: string): Promise<readonly string[]> =>
      (await logOf(ports, record, { search })).map(({ message }) => message);
    expect(await found('äPFEL')).toEqual(['100% of ÄPFEL', '100 of äpfel']);
    expect(await found('100%')).toEqual(['100% of ÄPFEL']);
    expect(await found('a_b')).toEqual(['a_b']);
    expect(await found('K\\S')).toEqual(['back\\slash']);
    expect(await found('🚀')).toEqual(['été 🚀']);
    expect(await found('nowhere')).toEqual([]);
    expect(await found('a\0b')).toEqual([]);
    expect(await found('\ud83d')).toEqual([]);
  });

  test('the newest keys are those of the listing, with any filter and message length', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const message = 'ü'.repeat(25_000);
    const entries = Array.from({ length: 120 }, (_, i) =>
      anEntry(record, {
        timestamp: MOMENT.getTime() + Math.floor(i / 3),
        type: ['WARN', 'INFO', 'LOG'][i % 3] ?? '',
        message,
        ...(i % 4 === 0 && { instanceId: ANOTHER_INSTANCE }),
      }),
    );
    await ingest(ports, entries);
    const filters: readonly Partial<LogFilter>[] = [
      {},
      { types: ['WARN', 'INFO'] },
      { source: 'PLUGIN', after: new Date(MOMENT.getTime() + 5), before: new Date(MOMENT.getTime() + 30) },
      { instanceId: ANOTHER_INSTANCE },
      { search: 'Ü', types: ['LOG'] },
    ];
    for (const filter of filters) {
      const pages = await everyPage((page) => ports.logs.page(record, { ...EVERY, ...filter }, page));
      const listed = pages.flat().map(({ timestamp, id }) => ({ timestamp, id }));
      for (const limit of [1, 7, KEYS_MAX]) {
        const keys = await ports.logs.newestKeys(record, { ...EVERY, ...filter }, limit);
        expect({ filter, keys }).toEqual({ filter, keys: listed.slice(0, limit) });
      }
    }
    for (const filter of [
      { types: ['NEVER'] },
      { search: 'nowhere' },
      { after: new Date('9999-12-31T23:59:59.998Z') },
      { before: new Date('0001-01-01T00:00:00Z') },
    ]) {
      expect(await ports.logs.newestKeys(record, { ...EVERY, ...filter }, KEYS_MAX)).toEqual([]);
    }
  });

  test('a search ignores the case of each letter from U+0041 to U+052F, in short and long messages', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const letters = Array.from({ length: 0x530 - 0x41 }, (_, i) => String.fromCodePoint(0x41 + i));
    const pairs = letters.map((letter) => [letter, letter === 'İ' ? 'i' : letter.toLowerCase()] as const);
    const differing = pairs.filter(([letter, lower]) => letter !== lower);
    for (let first = 0; first < differing.length; first += 50) {
      const chunk = differing.slice(first, first + 50);
      const texts = [0, 1].map((at) => chunk.map((pair) => pair[at]).join(''));
      const messages = texts.flatMap((text) => [text, `${'-'.repeat(30_000)}${text}-`]);
      await ingest(
        ports,
        messages.map((message) => anEntry(record, { message })),
      );
      for (const search of texts) {
        const { count } = await ports.logs.page(record, { ...EVERY, search }, { limit: 1, offset: 0 });
        expect([search, count]).toEqual([search, messages.length]);
      }
    }
  });

  test('an entry is found by its id, with or without its timestamp, only in its own log', async (ports) => {
    const family = await aFamily(ports);
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    const [id, twin] = [anId('01'), anId('02')];
    await ingest(ports, [
      anEntry(record, { id, message: 'the one' }),
      anEntry(record, { id: twin, timestamp: MOMENT.getTime() - 5000, message: 'older' }),
      anEntry(record, { id: twin, timestamp: MOMENT.getTime() + 5000, message: 'newer' }),
      anEntry(sister, { id: anId('03') }),
    ]);
    const logEntries = ports.logs;
    const found = (sought: string, timestamp: Date | null = null, of: typeof record = record) =>
      findEntry({ logEntries }, of, { id: sought, timestamp });
    const all = await logOf(ports, record);
    expect(await found(id)).toEqual(all.find((entry) => entry.id === id));
    expect(await found(id, MOMENT)).toEqual(await found(id));
    expect(await found(twin)).toMatchObject({ message: 'newer' });
    expect(await found(twin, new Date(MOMENT.getTime() - 5000))).toMatchObject({ message: 'older' });
    const elsewhere = { ...record, projectId: record.projectId + 1 };
    const missing = [
      [anId('03'), null, record],
      [anId('04'), null, record],
      [id, new Date(MOMENT.getTime() + 1), record],
      [id, new Date('0001-01-01T00:00:00Z'), record],
      [id, new Date('9999-12-31T23:59:59.999Z'), record],
      [id, null, sister],
      [id, MOMENT, sister],
      [id, null, elsewhere],
      [id, MOMENT, elsewhere],
    ] as const;
    for (const [sought, timestamp, of] of missing) {
      await expect(found(sought, timestamp, of)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('the page around an entry is the page of the listing that has it, with any filter', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const entries = Array.from({ length: 50 }, (_, i) =>
      anEntry(record, {
        timestamp: MOMENT.getTime() + Math.floor(i / 4),
        type: ['WARN', 'INFO', 'LOG'][i % 3] ?? '',
        message: `message ${i % 7}`,
        ...(i % 5 === 0 && { instanceId: ANOTHER_INSTANCE }),
      }),
    );
    await ingest(ports, entries);
    const logEntries = ports.logs;
    const filters: readonly Partial<LogFilter>[] = [
      {},
      { types: ['WARN', 'INFO'] },
      { source: 'PLUGIN', after: new Date(MOMENT.getTime() + 1), before: new Date(MOMENT.getTime() + 9) },
      { instanceId: ANOTHER_INSTANCE },
      { search: 'MESSAGE 3', before: new Date(MOMENT.getTime() + 10) },
    ];
    for (const own of filters) {
      const filter = { ...EVERY, ...own };
      const listed = await logOf(ports, record, filter);
      for (const [place, { id }] of listed.entries()) {
        if (place % 4 > 0 && place < listed.length - 1) continue;
        for (const limit of [1, 7]) {
          const offset = place - (place % limit);
          const page = await pageAround({ logEntries }, record, { filter, id, limit });
          const items = listed.slice(offset, offset + limit);
          expect({ filter, place, page }).toEqual({
            filter,
            place,
            page: { count: listed.length, items, offset },
          });
        }
      }
    }
  });

  test('there is no page around an entry that is not in the log or does not match the filter', async (ports) => {
    const family = await aFamily(ports);
    const [record, sister] = [await aRecord(ports, family), await aRecord(ports, family)];
    const [own, foreign] = [anEntry(record, { type: 'WARN' }), anEntry(sister)];
    await ingest(ports, [own, foreign]);
    const logEntries = ports.logs;
    for (const [filter, id] of [
      [EVERY, foreign.id],
      [EVERY, anId('0f')],
      [{ ...EVERY, types: ['INFO'] }, own.id],
      [{ ...EVERY, after: MOMENT }, own.id],
      [{ ...EVERY, search: 'nowhere' }, own.id],
    ] as const) {
      const rejected = pageAround({ logEntries }, record, { filter, id, limit: 10 });
      await expect(rejected).rejects.toMatchObject({ code: 'does_not_exist', attr: 'around' });
    }
  });

  test('the page around an entry starts with it if the messages before it fill the page', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const message = 'ü'.repeat(25_000);
    const entries = Array.from({ length: 90 }, (_, i) =>
      anEntry(record, { timestamp: MOMENT.getTime() - i, message }),
    );
    await ingest(ports, entries);
    const logEntries = ports.logs;
    const id = entries[88]?.id ?? '';
    const { offset, items } = await pageAround({ logEntries }, record, { filter: EVERY, id, limit: 100 });
    expect([offset, items.map((item) => item.id)]).toEqual([88, [id, entries[89]?.id]]);
  });
}

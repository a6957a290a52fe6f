import type { WireConfigRecordPage } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { live, type Poller } from './model.ts';
import { expectBody, expectStatus, familyCommand, places, type Command, type Target } from './service.ts';

interface PollOptions {
  readonly limit: number;
  /** The number of pages to read before other commands continue. */
  readonly pages: number;
}

/** Polls a family by `changed_since`, a few pages at a time, while its records are changing. */
const poll = familyCommand(
  'poll',
  fc.record({ place: places, limit: fc.integer({ min: 1, max: 4 }), pages: fc.integer({ min: 1, max: 4 }) }),
  async (target, { limit, pages }) => {
    await expectPolled(target, { limit, pages });
  },
);

/** Reads pages of changes. After the last change, expects the poller to have the same records as the list. */
export async function expectPolled(
  target: Target,
  { limit, pages }: PollOptions = { limit: 100, pages: Infinity },
): Promise<void> {
  const poller = (target.family.poller ??= await startPolling(target));
  for (let read = 0; read < pages; read++) {
    const query = `changed_since=${poller.version}&limit=${limit}`;
    const { length } = await readPage(target, query, poller);
    if (length > 0) continue;
    expectPollerMatches(target, poller);
    return;
  }
}

async function startPolling(target: Target): Promise<Poller> {
  const poller: Poller = { version: '', records: new Map() };
  await readPage(target, 'limit=1000', poller);
  return poller;
}

async function readPage({ call, path }: Target, query: string, poller: Poller) {
  const response = await call<WireConfigRecordPage>('GET', `${path}?${query}`);
  expectStatus(response, 200);
  const { results } = response.body;
  for (const record of results) poller.records.set(record.id, record);
  poller.version = response.headers.get('x-family-version') ?? '';
  return results;
}

function expectPollerMatches({ family, projectId }: Target, { records }: Poller): void {
  const polled = [...records.values()];
  const expected = live(family);
  const shown = polled.filter(({ deleted }) => !deleted).toSorted((a, b) => a.order - b.order || a.id - b.id);
  expect(shown.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  for (const record of family.records) {
    const body = records.get(record.id);
    if (body !== undefined) expectBody({ record, projectId }, body);
  }
}

export const POLL_COMMANDS: readonly fc.Arbitrary<Command>[] = [poll];

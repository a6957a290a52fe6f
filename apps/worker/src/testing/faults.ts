import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { push, type Bed } from './bed.ts';
import { anEntry, ndjson, type WireEntry } from './entries.ts';

const RETRY_MS = 50;

/** Makes a seeded generator of numbers from 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function manyEntries(recordId: number, count: number): readonly WireEntry[] {
  const start = Date.now() - count;
  return Array.from({ length: count }, (_, i) =>
    anEntry(recordId, { timestamp: new Date(start + i).toISOString(), message: `entry ${i}` }),
  );
}

interface Sending {
  readonly url: string;
  readonly token: string;
  readonly entries: readonly WireEntry[];
  readonly perBody: number;
  readonly senders: number;
}

/** Sends all entries; repeats each body until it is acknowledged, as a log shipper does. */
export async function sendAll({ url, token, entries, perBody, senders }: Sending): Promise<void> {
  const bodies = Array.from({ length: Math.ceil(entries.length / perBody) }, (_, i) =>
    ndjson(entries.slice(i * perBody, (i + 1) * perBody)),
  ).values();
  const sender = async (): Promise<void> => {
    for (const body of bodies) while (!(await isAcknowledged(url, body, token))) await sleep(RETRY_MS);
  };
  await Promise.all(Array.from({ length: senders }, sender));
}

async function isAcknowledged(url: string, body: string, token: string): Promise<boolean> {
  const answer = await push(url, body, { token }).catch(() => null);
  if (answer !== null && answer.status < 500 && answer.status !== 429) expect(answer.status).toBe(200);
  return answer?.status === 200;
}

/** Kills a process at random moments and starts another one, several times. */
export async function killRepeatedly(
  begin: () => RunningProcess,
  moments: readonly number[],
  first: RunningProcess,
): Promise<RunningProcess> {
  let current = first;
  for (const moment of moments) {
    await sleep(moment);
    current.child.kill('SIGKILL');
    await current.exited;
    current = begin();
    await current.url();
  }
  return current;
}

/** Expects that the record's log contains exactly these entries, each once, and counts them correctly. */
export async function expectExactly(
  bed: Bed,
  record: Bed['record'],
  entries: readonly WireEntry[],
): Promise<void> {
  const rows = await bed.rows<{ id: string }>('select id from log_entry where record_id = $1', [record.id]);
  expect(rows.length).toBe(entries.length);
  const missing = new Set(entries.map(({ id }) => id));
  for (const { id } of rows) missing.delete(id);
  expect(missing.size).toBe(0);
  const filter = { types: [], source: null, instanceId: null, after: null, before: null, search: null };
  const { count } = await bed.ports.logs.page(record, filter, { limit: 1, offset: 0 });
  expect(count).toBe(entries.length);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { until, type RunningProcess } from '@plugin-config/server/testing';
import { expect } from 'vitest';
import { push, type TestBed } from './test-bed.ts';
import { anEntry, ndjson, type WireEntry } from './entries.ts';

const RETRY_MS = 50;
const WITHIN_MS = 60_000;

/** Returns a seeded generator of numbers from 0 to 1. */
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

/** Chooses at which shares of a load faults happen: one in each part except the last. */
export function faultShares(count: number, random: () => number): readonly number[] {
  return Array.from({ length: count }, (_, i) => (i + random()) / (count + 1));
}

interface Sending {
  /** The workers, among which the senders are distributed. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly entries: readonly WireEntry[];
  readonly perBody: number;
  readonly senders: number;
}

/** Sends all entries. Repeats each body until it is acknowledged, like a log shipper. */
async function sendAll(
  { urls, token, entries, perBody, senders }: Sending,
  onAcknowledged: (count: number) => void = () => undefined,
): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(entries.length / perBody) }, (_, i) =>
    entries.slice(i * perBody, (i + 1) * perBody),
  ).values();
  const sender = async (url: string): Promise<void> => {
    for (const chunk of chunks) {
      const body = ndjson(chunk);
      while (!(await isAcknowledged(url, body, token))) await sleep(RETRY_MS);
      onAcknowledged(chunk.length);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, i) => sender(urls[i % urls.length] ?? '')));
}

/** Sends all entries, and causes a fault when each of these shares of them has been acknowledged. */
export async function sendWithFaults(
  sending: Sending,
  shares: readonly number[],
  fault: () => Promise<void>,
): Promise<void> {
  let acknowledged = 0;
  const sent = sendAll(sending, (count) => (acknowledged += count));
  sent.catch(() => undefined);
  for (const share of shares) {
    const isReached = (): boolean => acknowledged >= share * sending.entries.length;
    await Promise.race([until(isReached, WITHIN_MS), sent]);
    await fault();
  }
  await sent;
}

async function isAcknowledged(url: string, body: string, token: string): Promise<boolean> {
  const response = await push(url, body, { token }).catch(() => null);
  if (response !== null && response.status < 500 && response.status !== 429)
    expect(response.status).toBe(200);
  return response?.status === 200;
}

/** Kills a process and starts another. Resolves once it is listening. */
export async function replaceKilled(
  process: RunningProcess,
  begin: () => RunningProcess,
): Promise<RunningProcess> {
  process.child.kill('SIGKILL');
  await process.exited;
  const next = begin();
  await next.url();
  return next;
}

/** Expects the record's log to contain exactly these entries, each once, and to count them correctly. */
export async function expectExactly(
  bed: TestBed,
  record: TestBed['record'],
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

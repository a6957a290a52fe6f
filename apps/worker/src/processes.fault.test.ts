import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@plugin-config/server/testing';
import { expect, onTestFinished } from 'vitest';
import type { WireEntry } from './testing/entries.ts';
import { expectExactly, manyEntries, sendAll } from './testing/faults.ts';
import { test } from './testing/worker.fixture.ts';

const PER_BODY = 200;
const SENDERS = 4;
/** Leaves time to the processes that start. */
const PAUSE_MS = 20;
/** Processes start one after the other. */
const PATIENCE_MS = 60_000;

test('two processes store pushes as one worker, though one is killed and all are replaced', async ({
  bed,
}) => {
  const worker = bed.run({ WORKER_PROCESSES: '2', LOG_LEVEL: 'info' });
  const url = await worker.url();
  const pids = (): readonly number[] => [
    ...new Set([...worker.stdout().matchAll(/"pid":(\d+),"url"/g)].map(([, pid]) => Number(pid))),
  ];
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  const started = (count: number) =>
    until(async () => pids().length >= count && (await isReady()), PATIENCE_MS);
  await started(2);
  const [first] = pids();
  if (first === undefined) throw new Error('No process has started.');
  const stored: WireEntry[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const send = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const entries = manyEntries(bed.record.id, PER_BODY);
      await sendAll({ urls: [url], token: bed.token, entries, perBody: PER_BODY, senders: 1 });
      stored.push(...entries);
      await sleep(PAUSE_MS);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  sending.catch(() => undefined);
  await sleep(300);
  process.kill(first, 'SIGKILL');
  await started(3);
  worker.child.kill('SIGHUP');
  await started(5);
  stop.abort();
  await sending;
  await expectExactly(bed, bed.record, stored);
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text();
  await until(async () => /^group_processes 2$/m.test(await metrics()), PATIENCE_MS);
  expect(await metrics()).toMatch(/^group_restarts_total 1$/m);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
}, 240_000);

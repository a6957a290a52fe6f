import { nodeRandomness } from '@plugin-config/persistence';
import type { Task, WorkThread } from '@plugin-config/flow/node';
import { openThread } from '@plugin-config/server';
import { until } from '@plugin-config/server/testing';
import { expect, test } from 'vitest';
import { gatedApp } from '../../testing/gated-app.ts';
import { aLogRecord, anExport, encodeExport, MEDIA } from '../../testing/otlp.ts';
import type { PushSource, Sender } from '../push/push-source.ts';
import { otlpRoutes } from './otlp.routes.ts';

const MOST = 16 * 1024 * 1024;
const WAIT_MS = 1000;
/** The best of several tries counts, because a busy machine makes single tries slower. */
const TRIES = 10;

/** A task of the thread, which ends on request. */
interface HeldTask extends Task {
  readonly end: () => void;
}

/** An app with the route. `pushed` collects the accounts whose exports were decoded. */
async function startApp(thread?: WorkThread) {
  const tasks: HeldTask[] = [];
  const held: WorkThread = {
    run: (task) => new Promise((resolve) => void tasks.push({ ...task, end: () => resolve([]) })),
  };
  const { app, guard } = gatedApp(MOST);
  const pushed: number[] = [];
  const push = {
    push: async (_lines: unknown, { tenant }: Sender) => {
      pushed.push(tenant);
      return { stored: 1, duplicates: 0, dead: 0 };
    },
  } as unknown as PushSource;
  otlpRoutes(app, { guard, push, randomness: nodeRandomness(), thread: thread ?? held });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, tasks, pushed };
}

const headers = (account: number) => ({ account: String(account), 'content-type': MEDIA.json });

function exportOf(records: number): Uint8Array<ArrayBuffer> {
  const list = Array.from({ length: records }, () => aLogRecord());
  return new Uint8Array(encodeExport('json', anExport(7, list)));
}

test('a large export waits for the thread, and a small one does not', async () => {
  const { url, tasks, pushed } = await startApp();
  const send = (account: number, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${url}/v1/logs`, { method: 'POST', headers: headers(account), body });
  const large = send(2, exportOf(1001));
  await until(() => tasks.length === 1);
  expect((await send(3, exportOf(1))).status).toBe(200);
  expect(pushed).toEqual([3]);
  tasks[0]?.end();
  expect((await large).status).toBe(200);
  expect(pushed).toEqual([3, 2]);
});

test('an export stops waiting for the thread when its sender hangs up', async () => {
  const { url, tasks, pushed } = await startApp();
  const hangUp = new AbortController();
  const sent = fetch(`${url}/v1/logs`, {
    method: 'POST',
    headers: headers(2),
    body: exportOf(1001),
    signal: hangUp.signal,
  });
  await until(() => tasks.length === 1);
  hangUp.abort();
  await expect(sent).rejects.toThrow();
  await until(() => tasks[0]?.until.signal?.aborted === true);
  expect(pushed).toEqual([]);
});

test('two accounts that export millions of fields do not delay others', { tags: ['long'] }, async () => {
  const { url } = await startApp(openThread(new URL('../../thread.ts', import.meta.url)));
  const send = async (account: number, type: string, body: Uint8Array<ArrayBuffer>): Promise<number> => {
    const sent = { method: 'POST', headers: { account: String(account), 'content-type': type }, body };
    return (await fetch(`${url}/v1/logs`, sent)).status;
  };
  const empty = new Uint8Array(Buffer.alloc(MOST, Buffer.from([0x78, 0x00])));
  const flooding = new AbortController();
  const flood = async (account: number): Promise<void> => {
    while (!flooding.signal.aborted) expect([413, 429]).toContain(await send(account, MEDIA.protobuf, empty));
  };
  const floods = Promise.all([1, 1, 2, 2].map(flood));
  try {
    for (const body of [exportOf(1), exportOf(2000)]) {
      let shortest = Infinity;
      for (let n = 0; n < TRIES && shortest >= WAIT_MS; n++) {
        const began = performance.now();
        expect(await send(3, MEDIA.json, body)).toBe(200);
        shortest = Math.min(shortest, performance.now() - began);
      }
      expect(shortest).toBeLessThan(WAIT_MS);
    }
  } finally {
    flooding.abort();
    await floods;
  }
});

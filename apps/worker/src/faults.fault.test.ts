import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@plugin-config/persistence';
import { openEmbeddedPostgres, removeEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { createTestDatabase } from '@plugin-config/persistence/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeBed } from './testing/bed.ts';
import { expectExactly, killRepeatedly, manyEntries, seeded, sendAll } from './testing/faults.ts';

const ENTRIES = 150_000;
const SEED = 20_260_401;
const TIMEOUT_MS = 120_000;
const SENDING = { perBody: 3000, senders: 4 };

test(
  'whenever the worker is killed, each acknowledged entry is stored once',
  async () => {
    const { url: databaseUrl, drop } = await createTestDatabase(inject('databaseAdminUrl'));
    onTestFinished(drop);
    await using bed = await makeBed(databaseUrl);
    const entries = manyEntries(bed.record.id, ENTRIES);
    const first = bed.run({ LOG_LEVEL: 'info' });
    const url = await first.url();
    const again = () => bed.run({ WORKER_PORT: new URL(url).port });
    const random = seeded(SEED);
    const moments = Array.from({ length: 4 }, () => 200 + random() * 600);
    const [last] = await Promise.all([
      killRepeatedly(again, moments, first),
      sendAll({ url, token: bed.token, entries, ...SENDING }),
    ]);
    await expectExactly(bed, bed.record, entries);
    last.child.kill('SIGTERM');
    expect(await last.exited).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'whenever the database is killed, each acknowledged entry is stored once',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-config-faults-'));
    const dataDir = join(folder, 'data');
    const postgres = await openEmbeddedPostgres({ dataDir, durable: true });
    let postmaster = await postgres.launch();
    await postmaster.ready;
    onTestFinished(async () => {
      await postmaster.stop();
      await postgres.close();
      await removeEmbeddedPostgres(dataDir);
      await rm(folder, { recursive: true });
    });
    await migrate(postgres.url);
    await using bed = await makeBed(postgres.url);
    const entries = manyEntries(bed.record.id, ENTRIES);
    const worker = bed.run();
    const url = await worker.url();
    const random = seeded(SEED);
    const sending = sendAll({ url, token: bed.token, entries, ...SENDING });
    for (let round = 0; round < 2; round++) {
      await sleep(300 + random() * 700);
      process.kill(postmaster.pid, 'SIGKILL');
      await postmaster.exited;
      postmaster = await postgres.launch();
      await postmaster.ready;
    }
    await sending;
    await expectExactly(bed, bed.record, entries);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  },
  TIMEOUT_MS,
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@plugin-config/persistence/migrate';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { createTestBed } from './testing/test-bed.ts';
import {
  expectExactly,
  faultShares,
  manyEntries,
  replaceKilled,
  seeded,
  sendWithFaults,
} from './testing/faults.ts';
import { test } from './testing/worker.fixture.ts';

const ENTRIES = propertyRuns(5_000);
const SEED = 20_260_401;
const TIMEOUT_MS = propertyTimeout(120_000);
const KILLS = propertyRuns(1);
const SENDING = { perBody: 250, senders: 4 };

test(
  'stores each acknowledged entry once, no matter when the worker is killed',
  async ({ bed }) => {
    const entries = manyEntries(bed.record.id, ENTRIES);
    const port = { WORKER_PORT: String(await freePort()) };
    const first = bed.run({ ...port, LOG_LEVEL: 'info' });
    const url = await first.url();
    const again = () => bed.run(port);
    let last = first;
    const sending = { urls: [url], token: bed.token, entries, ...SENDING };
    await sendWithFaults(sending, faultShares(KILLS, seeded(SEED)), async () => {
      last = await replaceKilled(last, again);
    });
    await expectExactly(bed, bed.record, entries);
    last.child.kill('SIGTERM');
    expect(await last.exited).toBe(0);
  },
  TIMEOUT_MS,
);

test(
  'stores each acknowledged entry once, no matter when the database is killed',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-faults-'));
    const postgres = await openEmbeddedPostgres({ dataDir, durable: true });
    let postmaster = await postgres.launch();
    await postmaster.ready;
    onTestFinished(async () => {
      await postmaster.stop();
      await postgres.close();
      await rm(dataDir, { recursive: true });
    });
    await migrate(postgres.url);
    await using bed = await createTestBed(postgres.url);
    const entries = manyEntries(bed.record.id, ENTRIES);
    using worker = await bed.serve();
    const sending = { urls: [worker.url], token: bed.token, entries, ...SENDING };
    await sendWithFaults(sending, faultShares(KILLS, seeded(SEED)), async () => {
      process.kill(postmaster.pid, 'SIGKILL');
      await postmaster.exited;
      postmaster = await postgres.launch();
      await postmaster.ready;
    });
    await expectExactly(bed, bed.record, entries);
    await worker.stop();
  },
  TIMEOUT_MS,
);

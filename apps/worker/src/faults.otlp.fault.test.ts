/** @module-tag long */
import { createTestDatabase } from '@plugin-config/persistence/testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../../../tools/free-port.ts';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { until } from '@plugin-config/server/testing';
import { createTestBed } from './testing/test-bed.ts';
import { faultShares, replaceKilled, seeded } from './testing/faults.ts';
import { exported, sdkExporter, sdkRecords } from './testing/otlp-exporter.ts';

const RECORDS = propertyRuns(20_000);
const PER_EXPORT = 500;
const KILLS = 6;
const SEED = 20_260_402;

test.for(['protobuf', 'json'] as const)(
  '%s: stores each log record of the SDK once, no matter when the worker is killed',
  { timeout: propertyTimeout(300_000) },
  async (encoding) => {
    const { url: databaseUrl, drop } = await createTestDatabase(inject('databaseAdminUrl'));
    onTestFinished(drop);
    await using bed = await createTestBed(databaseUrl);
    const port = { WORKER_PORT: String(await freePort()) };
    let worker = bed.run({ ...port, LOG_LEVEL: 'info' });
    const exporter = sdkExporter(encoding, await worker.url(), bed.token);
    const messages = Array.from({ length: RECORDS }, (_, i) => `record ${i}`);
    const records = sdkRecords(bed.record.id, messages);
    let acknowledged = 0;
    const sendAll = async (): Promise<void> => {
      for (let at = 0; at < records.length; at += PER_EXPORT) {
        const batch = records.slice(at, at + PER_EXPORT);
        while ((await exported(exporter, batch)) !== undefined) continue;
        acknowledged += batch.length;
      }
    };
    const sent = sendAll();
    for (const share of faultShares(KILLS, seeded(SEED))) {
      await Promise.race([until(() => acknowledged >= share * RECORDS, 60_000), sent]);
      worker = await replaceKilled(worker, () => bed.run(port));
    }
    await sent;
    const stored = await bed.rows<{ message: string }>(
      'select message from log_entry order by "timestamp", id',
    );
    expect(stored.map(({ message }) => message)).toEqual(messages);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
  },
);

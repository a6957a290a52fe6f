import { ingest } from '@plugin-config/domain';
import { aFamily, anEntry, anErrorReport, aRecord, MOMENT, secondsLater } from '@plugin-config/testing';
import pg from 'pg';
import { expect, test } from 'vitest';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';

test('an error in a locked family does not delay its batch, and is shown once the family is unlocked', () =>
  withDatabase(async (database, url) => {
    const ports = logPortsOf(database);
    const [blocked, free] = [
      await aRecord(ports, await aFamily(ports)),
      await aRecord(ports, await aFamily(ports)),
    ];
    const shown = async () =>
      Promise.all([blocked, free].map(async (record) => (await ports.records.find(record)).value?.error));
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from config_family where project_id = $1 for update', [blocked.projectId]);
    const start = performance.now();
    const batch = [anErrorReport(blocked, 'Blocked'), anErrorReport(free, 'Free'), anEntry(free)];
    expect(await ingest(ports, batch)).toEqual(['stored', 'stored', 'stored']);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(await ports.rates.refresh(MOMENT)).toBe(0);
    expect(await shown()).toEqual([null, 'Free']);
    await holder.end();
    expect(await ports.rates.refresh(secondsLater(2))).toBe(1);
    expect(await shown()).toEqual(['Blocked', 'Free']);
  }));

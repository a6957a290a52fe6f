import { ingest, isLaterError, type ErrorMessage } from '@plugin-config/domain';
import {
  aFamily,
  anEntry,
  anErrorReport,
  anOrigin,
  aRecord,
  MOMENT,
  secondsLater,
} from '@plugin-config/testing';
import fc from 'fast-check';
import pg from 'pg';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../tools/property-runs.ts';
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

const few = fc.integer({ min: 0, max: 1 });
const report = fc.record({
  timestamp: few,
  receivedAt: few,
  position: few,
  error: fc.constantFrom('a', 'b', 'ab', '\uFFFF', '😀', null),
});

test('PostgreSQL keeps the latest report as the domain defines it, in whatever order and batches reports arrive', () =>
  withDatabase((database) => {
    const ports = logPortsOf(database);
    return fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(report, { minLength: 1 }), { minLength: 1, maxLength: 4 }),
        async (given) => {
          const record = await aRecord(ports, await aFamily(ports));
          const batches = given.map((reports) =>
            reports.map(({ timestamp, receivedAt, position, error }) =>
              anErrorReport(record, error, {
                timestamp: MOMENT.getTime() + timestamp,
                origin: anOrigin({ receivedAt: secondsLater(receivedAt) }),
                position,
              }),
            ),
          );
          for (const batch of batches) await ingest(ports, batch);
          const latest = batches.flat().reduce((a: ErrorMessage, b) => (isLaterError(b, a) ? b : a));
          expect((await ports.records.find(record)).value?.error).toBe(latest.error);
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  }));

import { ingest, INCIDENTS_KEPT_MAX, OPEN_INCIDENTS_MAX } from '@plugin-config/domain';
import {
  aFamily,
  anAlert,
  anAuthor,
  anErrorReport,
  aRecord,
  aWebhook,
  evaluateAt,
  MOMENT,
  secondsLater,
} from '@plugin-config/testing';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { logPortsOf } from '../testing/postgres-log-ports.fixture.ts';

const withEmptied = databaseOfFile();

test('a new incident replaces the oldest closed ones of its project beyond those that are kept', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [family, other] = [await aFamily(ports), await aFamily(ports)];
    const addClosed = (projectId: number, count: number) =>
      database.pool.query(
        `insert into incident (project_id, family, alert_id, alert_name, record_id, signal, opened_at, closed_at, reason)
        select $1, 'plugin_configs', 1, 'Errors', n, 'error', $2, $2, 'recovered' from generate_series(1, $3::integer) n`,
        [projectId, MOMENT, count],
      );
    await addClosed(other.projectId, 1);
    await addClosed(family.projectId, INCIDENTS_KEPT_MAX + 500);
    const record = await aRecord(ports, family, { enabled: true });
    await ingest(ports, [anErrorReport(record, 'timed out')]);
    await anAlert(ports, family);
    await evaluateAt(ports, secondsLater(1));
    const { rows } = await database.pool.query(
      `select project_id::int, count(*)::int, count(*) filter (where is_open)::int as open,
        (min(record_id) filter (where not is_open))::int as oldest
      from incident group by project_id order by project_id`,
    );
    expect(rows).toEqual([
      { project_id: family.projectId, count: INCIDENTS_KEPT_MAX + 1, open: 1, oldest: 501 },
      { project_id: other.projectId, count: 1, open: 0, oldest: 1 },
    ]);
  }));

test('an alert on many records opens a bounded number of incidents, and one that counts the others', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const family = await aFamily(ports);
    const { webhook } = await aWebhook(ports, family.projectId, {
      events: ['incident.opened', 'incident.closed'],
    });
    const records = await Promise.all(
      Array.from({ length: OPEN_INCIDENTS_MAX + 3 }, () => aRecord(ports, family, { enabled: true })),
    );
    await ingest(
      ports,
      records.map((record) => anErrorReport(record, 'timed out')),
    );
    const alert = await anAlert(ports, family);
    await evaluateAt(ports, secondsLater(1));
    const counts = async () => {
      const { rows } = await database.pool.query(
        `select count(*)::int, count(record_id)::int as of_records, max(value) filter (where record_id is null) as others
        from incident where is_open`,
      );
      const { count: events } = await ports.dispatches.page(family.projectId, webhook.id, {
        limit: 1,
        offset: 0,
      });
      return { ...rows[0], events };
    };
    const opened = OPEN_INCIDENTS_MAX + 1;
    expect(await counts()).toEqual({
      count: opened,
      of_records: OPEN_INCIDENTS_MAX,
      others: 3,
      events: opened,
    });
    const change = { ...alert, threshold: null, windowMinutes: 120 };
    await ports.alerts.change(family.projectId, alert.id, null, () => change, anAuthor());
    await evaluateAt(ports, secondsLater(120));
    // All are closed, and opened again.
    expect(await counts()).toEqual({
      count: opened,
      of_records: OPEN_INCIDENTS_MAX,
      others: 3,
      events: 3 * opened,
    });
  }));

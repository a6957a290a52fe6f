import { ingest, INCIDENTS_KEPT_MAX, OPEN_INCIDENTS_MAX, SERVICE } from '@plugin-config/domain';
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
        `insert into incident (
          project_id, alert_project_id, family, alert_id, alert_name, record_id, signal, opened_at, closed_at, reason
        )
        select $1, $1, 'plugin_configs', 1, 'Errors', n, 'error', $2, $2, 'recovered' from generate_series(1, $3::integer) n`,
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
      Array.from({ length: OPEN_INCIDENTS_MAX.project + 3 }, () => aRecord(ports, family, { enabled: true })),
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
    const opened = OPEN_INCIDENTS_MAX.project + 1;
    expect(await counts()).toEqual({
      count: opened,
      of_records: OPEN_INCIDENTS_MAX.project,
      others: 3,
      events: opened,
    });
    const change = { ...alert, threshold: null, windowMinutes: 120 };
    await ports.alerts.change(family.projectId, alert.id, null, () => change, anAuthor());
    await evaluateAt(ports, secondsLater(120));
    // All are closed, and opened again.
    expect(await counts()).toEqual({
      count: opened,
      of_records: OPEN_INCIDENTS_MAX.project,
      others: 3,
      events: 3 * opened,
    });
  }));

test('an alert on all projects opens a bounded number of incidents in each, and one that counts the others', () =>
  withEmptied(async (database) => {
    const ports = logPortsOf(database);
    const [large, small] = [await aFamily(ports), await aFamily(ports)];
    const records = [
      await aRecord(ports, large, { enabled: true }),
      await aRecord(ports, small, { enabled: true }),
    ];
    await ingest(
      ports,
      records.map((record) => anErrorReport(record, 'timed out')),
    );
    const addFailing = (projectId: number, count: number) =>
      database.pool.query(
        `with added as (
          insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version, error)
          select project_id, family, plugin, enabled, n, deleted, created_at, updated_at, version, error
          from config_record, generate_series(2, $2) n where project_id = $1 returning id
        )
        insert into error_report (record_id, timestamp, taken_in_at, position, error)
        select a.id, e.timestamp, e.taken_in_at, e.position, e.error from added a, (select * from error_report limit 1) e`,
        [projectId, count],
      );
    await addFailing(large.projectId, OPEN_INCIDENTS_MAX.project + 3);
    const { webhook } = await aWebhook(ports, SERVICE, { events: ['incident.opened'] });
    await anAlert(ports, { projectId: SERVICE, family: 'plugin_configs' });
    const counts = async () => {
      const { rows } = await database.pool.query(
        `select project_id::int, count(*)::int, max(value) as others from incident where is_open group by 1 order by 1`,
      );
      return rows as unknown;
    };
    await evaluateAt(ports, secondsLater(1));
    const opened = [
      { project_id: SERVICE, count: 1, others: 3 },
      { project_id: large.projectId, count: OPEN_INCIDENTS_MAX.project, others: null },
      { project_id: small.projectId, count: 1, others: null },
    ];
    expect(await counts()).toEqual(opened);
    const { items } = await ports.dispatches.page(SERVICE, webhook.id, { limit: 1, offset: 0 });
    const { data } = JSON.parse(items[0]?.payload ?? '') as { readonly data: object };
    expect(data).toMatchObject({ project_id: null, project: null, record_id: null, value: 3 });
    const { items: listed } = await ports.incidents.page(
      null,
      { alertId: null, recordId: null, plugin: null, open: true },
      { limit: 1, offset: 0 },
    );
    expect(listed).toMatchObject([{ project: null, record: null, value: 3 }]);
    await evaluateAt(ports, secondsLater(61));
    expect(await counts()).toEqual(opened);
  }));

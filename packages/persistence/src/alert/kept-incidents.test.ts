import { ingest, INCIDENTS_KEPT_MAX } from '@plugin-config/domain';
import {
  aFamily,
  anAlert,
  anErrorReport,
  aRecord,
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

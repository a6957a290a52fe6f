import { ingest } from '@plugin-config/domain';
import { postgresIngestionStores } from '@plugin-config/persistence';
import { aDelivery, anEntry, anErrorReport } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('the overview adds up records, deliveries, incidents and changes', async ({
  call,
  database,
  project,
}) => {
  const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7, enabled: true } });
  const { body: other } = await call('POST', '/pipeline_transformation_configs', { body: { plugin: 7 } });
  await call('PATCH', `/pipeline_transformation_configs/${other.id}`, { body: { name: 'Renamed' } });
  const now = Date.now();
  await ingest({ stores: postgresIngestionStores(database) }, [
    aDelivery(record, { timestamp: now, successes: 5, successesOnRetry: 1, failures: 2 }),
    aDelivery(other, { timestamp: now - DAY_MS - HOUR_MS, successes: 3, successesOnRetry: 0, failures: 0 }),
    anErrorReport(record, 'rejected', { timestamp: now }),
    anEntry(record, { timestamp: now, type: 'ERROR' }),
  ]);
  const { body: alert } = await call<Wire<'alert'>>('POST', '/alerts', {
    body: { name: 'Errors', family: 'plugin_configs', signal: 'error', window_minutes: 60 },
  });
  for (let i = 0; i < 6; i++) {
    await database.pool.query(
      `insert into incident (project_id, alert_project_id, alert_id, alert_name, family, record_id, signal, opened_at)
      values ($1, $1, $2, 'Errors', 'plugin_configs', $3, 'error', $4)`,
      [project.id, alert.id, record.id + i, new Date(now + i)],
    );
  }
  const { body } = await call<Wire<'overview'>>('GET', '/overview');
  expect(body).toMatchObject({
    families: [
      { family: 'plugin_configs', enabled: 1, disabled: 0, failing: 1, invalid: 0, outdated: 0 },
      {
        family: 'pipeline_transformation_configs',
        enabled: 0,
        disabled: 1,
        failing: 0,
        invalid: 0,
        outdated: 0,
      },
    ],
    deliveries: { last_24h: { successes: 6, failures: 2 }, previous_24h: { successes: 3, failures: 0 } },
    incidents: { open: 6 },
    changes: [
      {
        family: 'pipeline_transformation_configs',
        record: other.id,
        activity: 'updated',
        actor: { label: 'test key' },
      },
      { record: other.id, activity: 'created' },
      { record: record.id, record_name: `Record ${record.id}`, activity: 'created' },
    ],
  });
  expect(body.incidents.newest.map(({ record_id: id }) => id)).toEqual(
    [5, 4, 3, 2, 1].map((i) => record.id + i),
  );
  expect(body.errors.at(-1)?.start).toBe(new Date(Math.floor(now / HOUR_MS) * HOUR_MS).toISOString());
});

test('a runtime is behind until it reports the current version', async ({ call, service, project }) => {
  await call('POST', '/plugin_configs', { body: { plugin: 7, enabled: true } });
  const { token } = await service.issueKey({
    projectIds: [project.id],
    scopes: ['plugin_runtime', 'plugin:read'],
  });
  const report = (instance: string, version: string, status = 'applied') =>
    call('PUT', `/plugin_configs/runtimes/${instance}`, { token, body: { version, status } });
  const runtimes = async () => (await call<Wire<'overview'>>('GET', '/overview')).body.runtimes;
  const { body: current } = await call<{ version: string }>('GET', '/plugin_configs/runtime', { token });
  await report('old', 'other');
  await report('failed', current.version, 'failed');
  await report('current', current.version);
  expect(await runtimes()).toEqual({ online: 3, behind: 1, failed: 1, silent: 0 });
  await report('old', current.version);
  expect(await runtimes()).toEqual({ online: 3, behind: 0, failed: 1, silent: 0 });
  await call('POST', '/plugin_configs', { body: { plugin: 8, enabled: true } });
  expect(await runtimes()).toEqual({ online: 3, behind: 3, failed: 1, silent: 0 });
});

test('runtimes that went silent within the last hour, and webhooks that the service disabled, are counted', async ({
  call,
  database,
  project,
}) => {
  const minutesAgo = [1, 10, 50, 70];
  for (const minutes of minutesAgo) {
    await database.pool.query(
      `insert into runtime_instance
        (project_id, family, instance, version, version_since, status, failed, failed_ids, labels, first_seen_at, last_seen_at)
      values ($1, 'plugin_configs', $2, 'v', $3, 'applied', '[]', '{}', '{}', $3, $3)`,
      [project.id, `host-${minutes}`, new Date(Date.now() - minutes * 60_000)],
    );
  }
  const webhook = (host: string) =>
    call<{ id: number }>('POST', '/webhooks', {
      body: { url: `https://${host}.example.com`, events: ['incident.opened'], enabled: false },
    });
  const { body: gone } = await webhook('gone');
  await webhook('paused');
  await database.pool.query(`update webhook set disabled_reason = 'gone' where id = $1`, [gone.id]);
  const { body } = await call<Wire<'overview'>>('GET', '/overview');
  expect([body.runtimes, body.webhooks]).toEqual([
    { online: 1, behind: 1, failed: 0, silent: 2 },
    { disabled: 1 },
  ]);
});

test('the overview of a record has its deliveries, error, incidents, failing runtimes and changes', async ({
  call,
  service,
  database,
  project,
}) => {
  const body = { plugin: 7, enabled: true, name: 'GeoIP' };
  const { body: record } = await call('POST', '/plugin_configs', { body });
  const { body: other } = await call('POST', '/plugin_configs', { body });
  const read = async () =>
    (await call<Wire<'recordOverview'>>('GET', `/plugin_configs/${record.id}/overview`)).body;
  expect(await read()).toMatchObject({
    deliveries: [],
    error_reported_at: null,
    incidents: { open: 0, newest: [] },
    runtimes: [],
    changes: [{ activity: 'created' }],
  });

  const now = Date.now();
  await ingest({ stores: postgresIngestionStores(database) }, [
    aDelivery(record, { timestamp: now, successes: 5, successesOnRetry: 1, failures: 2 }),
    aDelivery(record, { timestamp: now - DAY_MS - HOUR_MS, successes: 3 }),
    aDelivery(other, { timestamp: now, successes: 3 }),
    anErrorReport(record, 'rejected', { timestamp: now }),
  ]);
  const { token } = await service.issueKey({ projectIds: [project.id], scopes: ['plugin_runtime'] });
  const failures = { a: [record.id, other.id], b: [other.id], c: [record.id] };
  for (const [instance, ids] of Object.entries(failures)) {
    const failed = ids.map((id) => ({ id, error: `${instance}: refused` }));
    const report = { version: 'older', status: 'failed', failed };
    await call('PUT', `/plugin_configs/runtimes/${instance}`, { token, body: report });
  }
  // Reports so large that a page of all runtimes would end before the first that failed.
  await database.pool.query(
    `insert into runtime_instance
      (project_id, family, instance, version, version_since, status, error, failed, failed_ids, labels, first_seen_at, last_seen_at)
    select $1, 'plugin_configs', 'A' || n, 'v', now(), 'failed', repeat('x', 3000000), '[]', '{}', '{}', now(), now()
    from generate_series(1, 3) n`,
    [project.id],
  );
  for (const [index, { id }] of [record, other].entries()) {
    await database.pool.query(
      `insert into incident (project_id, alert_project_id, alert_id, alert_name, family, record_id, signal, opened_at)
      values ($1, 0, $2, 'Errors', 'plugin_configs', $3, 'error', now())`,
      [project.id, 9000 + index, id],
    );
  }
  const seen = await read();
  expect(seen).toMatchObject({
    deliveries: [{ successes: 5, successes_on_retry: 1, failures: 2, complete: false }],
    error_reported_at: new Date(now).toISOString(),
    incidents: {
      open: 1,
      newest: [{ alert_project_id: null, record_id: record.id, record: { id: record.id, name: 'GeoIP' } }],
    },
    runtimes: [
      { instance: 'a', online: true, error: 'a: refused' },
      { instance: 'c', online: true, error: 'c: refused' },
    ],
  });
});

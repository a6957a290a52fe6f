import type { FamilyRef } from '@plugin-config/domain';
import { metricOf } from '@plugin-config/server/testing';
import { aFamily, anAlert } from '@plugin-config/testing';
import { expect } from 'vitest';
import type { TestBed } from '../testing/test-bed.ts';
import { test } from '../testing/worker.fixture.ts';

const POLL = { interval: 20, timeout: 60_000 };
const RARELY = { ...POLL, interval: 500 };
/** Several chunks. */
const MANY = 10_000;

/** Adds enabled records that show an error which has just been reported. */
async function addFailing(bed: TestBed, { projectId, family }: FamilyRef, records: number): Promise<void> {
  await bed.rows(
    `with added as (
      insert into config_record (project_id, family, plugin, enabled, position, deleted, created_at, updated_at, version, error)
      select $1, $2, 7, true, n, false, now(), now(), 1, 'timed out' from generate_series(1, $3::integer) n
      returning id
    )
    insert into error_report (record_id, timestamp, taken_in_at, position, error)
    select id, now(), now(), 1, 'timed out' from added`,
    [projectId, family, records],
  );
}

/** Returns the number of records with an open incident, including the records that one incident counts. */
async function incidents(bed: TestBed, { projectId }: FamilyRef): Promise<number> {
  const [row] = await bed.rows<{ records: number }>(
    `select coalesce(sum(case when record_id is null then value else 1 end), 0)::int as records
    from incident where project_id = $1 and is_open`,
    [projectId],
  );
  return row?.records ?? 0;
}

/** Returns the same number, and makes the evaluation due, which is repeated a minute after it has failed. */
async function incidentsOnceDue(bed: TestBed, family: FamilyRef): Promise<number> {
  await bed.rows(`update task set due_at = null where kind = 'alerts'`);
  return incidents(bed, family);
}

const evaluations = (url: string, outcome: string): Promise<number> =>
  metricOf(url, `alert_evaluations_total{outcome="${outcome}"}`);

test('each alert is evaluated once a minute, by one of the workers', async ({ bed }) => {
  const family = await aFamily(bed.ports);
  await addFailing(bed, family, 5);
  const alert = await anAlert(bed.ports, family, { at: new Date() });
  await anAlert(bed.ports, await aFamily(bed.ports), { at: new Date() });
  const workers = [await bed.serve(), await bed.serve()];
  const count = async () => {
    const counts = await Promise.all(workers.map(({ url }) => evaluations(url, 'evaluated')));
    return counts.reduce((sum, each) => sum + each, 0);
  };
  await expect.poll(count, POLL).toBe(2);
  expect(await incidents(bed, family)).toBe(5);
  const { evaluatedAt } = (await bed.ports.alerts.find(family.projectId, alert.id)) ?? alert;
  expect(evaluatedAt?.getTime()).toBeGreaterThan(alert.createdAt.getTime() - 1000);
  await Promise.all(workers.map((worker) => worker.stop()));
});

test('an alert that cannot be evaluated is logged and counted, and later evaluated', async ({ bed }) => {
  const family = await aFamily(bed.ports);
  await addFailing(bed, family, 1);
  const alert = await anAlert(bed.ports, family, { at: new Date() });
  await bed.rows('alter table error_report rename to away');
  const worker = await bed.serve();
  await expect.poll(() => evaluations(worker.url, 'failed'), POLL).toBeGreaterThan(0);
  await bed.rows('alter table away rename to error_report');
  await expect.poll(() => incidentsOnceDue(bed, family), RARELY).toBe(1);
  await worker.stop();
  const line = worker
    .log()
    .split('\n')
    .find((text) => text.includes(`"alertId":${alert.id}`));
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 'warn',
    projectId: family.projectId,
    msg: 'an alert could not be evaluated',
  });
});

test(
  'a worker that is killed leaves complete chunks, and the next evaluation adds the others',
  { tags: ['long'] },
  async ({ bed }) => {
    const family = await aFamily(bed.ports);
    await addFailing(bed, family, MANY);
    const alert = await anAlert(bed.ports, family, { at: new Date() });
    const killed = bed.run();
    await expect.poll(() => incidents(bed, family), POLL).toBeGreaterThan(0);
    killed.child.kill('SIGKILL');
    await killed.exited;
    const stored = await incidents(bed, family);
    const [{ states } = { states: -1 }] = await bed.rows<{ states: number }>(
      'select count(*)::int as states from alert_state where alert_id = $1 and firing',
      [alert.id],
    );
    expect([stored, stored < MANY]).toEqual([states, true]);
    const worker = await bed.serve();
    await expect.poll(() => incidentsOnceDue(bed, family), RARELY).toBe(MANY);
    await worker.stop();
  },
);

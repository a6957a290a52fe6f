import type { FamilyRef } from '@plugin-config/domain';
import { aFamily, anAuthor, aRecord } from '@plugin-config/testing';
import { expect } from 'vitest';
import { test } from '../testing/worker.fixture.ts';

test('a deleted project is erased, even if the worker is killed in between', async ({ bed }) => {
  const { projectId } = bed.family;
  const record = await aRecord(bed.ports, bed.family);
  await bed.rows(
    `insert into activity (record_id, activity, created_at, actor_label, changes)
    select $1, 'updated', now(), 'somebody', '[]' from generate_series(1, 20000)`,
    [record.id],
  );
  const project = await bed.ports.projects.find(projectId);
  await bed.ports.erasures.start(projectId, project?.name ?? '', anAuthor({ at: new Date() }));
  const erased = async () => (await bed.ports.erasures.find(projectId))?.counts.activity;
  const killed = bed.run();
  await expect.poll(erased, { interval: 10 }).toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await killed.exited;
  expect(await erased()).toBeLessThan(20_000);
  // The lease of the killed worker ends, instead of waiting for it.
  await bed.rows('update task set lease_until = statement_timestamp() where lease_until is not null');
  const { stop } = await bed.serve();
  await expect
    .poll(async () => (await bed.ports.erasures.find(projectId))?.finishedAt, { interval: 100 })
    .toBeInstanceOf(Date);
  await stop();
  expect(await erased()).toBe(20_002);
  expect(await bed.rows('select from activity')).toEqual([]);
  expect(await bed.rows('select from config_record')).toEqual([]);
});

test('a small project does not wait until a large one is erased', async ({ bed }) => {
  const [large, small] = [await aFamily(bed.ports), await aFamily(bed.ports)];
  const record = await aRecord(bed.ports, large);
  await aRecord(bed.ports, small);
  await bed.rows(
    `insert into activity (record_id, activity, created_at, actor_label, changes)
    select $1, 'updated', now(), 'somebody', '[]' from generate_series(1, 100000)`,
    [record.id],
  );
  for (const { projectId } of [large, small]) {
    const project = await bed.ports.projects.find(projectId);
    await bed.ports.erasures.start(projectId, project?.name ?? '', anAuthor({ at: new Date() }));
  }
  const finished = async ({ projectId }: FamilyRef) =>
    (await bed.ports.erasures.find(projectId))?.finishedAt ?? null;
  const { stop } = await bed.serve();
  await expect.poll(() => finished(small), { interval: 20 }).not.toBeNull();
  expect(await finished(large)).toBeNull();
  await stop();
});

import { addProjects, addRecords } from '@plugin-config/persistence/testing/seed';
import { expect } from 'vitest';
import { caller, type Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';
import type { Wire } from '../testing/wire.ts';

const FEED = '/api/runtime/plugin_configs';
const FOLLOWERS = 1000;
const PROJECTS = 2000;
/** Far more than a change takes on a busy machine, and far less than one that waits for all followers. */
const CHANGE_MAX_MS = 5_000;

const read = async (call: Call, cursor?: string, query = '') => {
  const after = cursor === undefined ? '' : `?after=${encodeURIComponent(cursor)}${query}`;
  const found = await call<Wire<'runtimeFeed'>>('GET', FEED + after);
  expect(found).toMatchObject({ status: 200 });
  return found.body;
};

async function timed(work: () => Promise<{ readonly status: number }>): Promise<number> {
  const start = performance.now();
  expect(await work()).toMatchObject({ status: 200 });
  return performance.now() - start;
}

test(
  'a thousand followers of all projects see a change, and hold up no other request',
  { tags: ['long'], timeout: 120_000 },
  async ({ service, call }) => {
    const { token } = await service.issueKey();
    const follower = caller({ base: service.url, token });
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7, enabled: true } });
    const { cursor } = await read(follower);
    const waiting = Array.from({ length: FOLLOWERS }, async () => read(follower, cursor, '&wait=50'));
    const metrics = async () => (await fetch(`${service.url}/metrics`)).text();
    await expect.poll(metrics, { timeout: 60_000 }).toContain(`\nruntime_waits ${FOLLOWERS}\n`);
    const rename = (name: string) => () => call('PATCH', `/plugin_configs/${record.id}`, { body: { name } });
    const durations = [await timed(rename('Seen'))];
    for (let n = 0; n < 10; n++) durations.push(await timed(rename(`Change ${n}`)));
    expect(Math.max(...durations)).toBeLessThan(CHANGE_MAX_MS);
    for (const { projects } of await Promise.all(waiting)) expect(projects).toHaveLength(1);
  },
);

test(
  'followers that read thousands of projects hold up no change',
  { tags: ['long'], timeout: 120_000 },
  async ({ service, database, call }) => {
    const ids = await addProjects(database, PROJECTS);
    const config = () => JSON.stringify({ host: 'a.example', pad: 'x'.repeat(300) });
    for (const projectId of ids)
      await addRecords(database, { projectId, family: 'plugin_configs' }, { records: 3, config });
    await database.pool.query('update config_record set enabled = true where project_id = any ($1)', [ids]);
    const { body: record } = await call('POST', '/plugin_configs', { body: { plugin: 7, enabled: true } });
    const { token } = await service.issueKey();
    const follower = caller({ base: service.url, token });
    const following = new Set([1, 2, 3, 4, 5]);
    const followers = [...following].map(async (number) => {
      const found = new Set<number>();
      let page = await read(follower);
      for (;;) {
        for (const { project_id } of page.projects) found.add(project_id);
        if (!page.more) break;
        page = await read(follower, page.cursor);
      }
      following.delete(number);
      return ids.filter((id) => !found.has(id));
    });
    const durations: number[] = [];
    while (following.size > 0) {
      const name = `Change ${durations.length}`;
      const change = () => call('PATCH', `/plugin_configs/${record.id}`, { body: { name } });
      durations.push(await timed(change));
    }
    expect(await Promise.all(followers)).toEqual([[], [], [], [], []]);
    expect(Math.max(...durations)).toBeLessThan(CHANGE_MAX_MS);
  },
);

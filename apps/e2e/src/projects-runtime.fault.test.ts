/** @module-tag long */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRuntime, type ProjectVersion } from '@plugin-config/client/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../tools/property-runs.ts';
import { cutConnections, killAndRestart } from './testing/kills.ts';
import { retryingProject } from './testing/retrying-project.ts';
import { serviceOfFile } from './testing/running-service.ts';

const TENANTS = 6;
const CHANGES = 8;
const ROUNDS = propertyRuns(9);
const TIMEOUT_MS = propertyTimeout(240_000);
const SLOW_POLL = { timeout: 60_000, interval: 100 };

const running = serviceOfFile();

test(
  'runtimes of all projects have what the service has after kills, cut connections and restarts, and never go back',
  async () => {
    const service = running();
    const folder = await mkdtemp(join(tmpdir(), 'plugin-config-projects-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    const tenants = await Promise.all(
      Array.from({ length: TENANTS }, async () => {
        const tenant = await service.tenant();
        const id = await tenant.attach();
        return { tenant, id, records: retryingProject(tenant).pluginConfigs };
      }),
    );
    const projectIds = tenants.map(({ tenant }) => tenant.projectId);
    const options = {
      url: tenants[0]?.tenant.api ?? '',
      key: await service.issueKey(['plugin_runtime'], projectIds),
      projects: 'all',
      family: 'plugin_configs',
      retry: { baseMs: 50, maxPauseMs: 300 },
    } as const;
    const openEager = async () =>
      openRuntime({ ...options, instance: 'eager', cacheFile: join(folder, 'eager.cache') });
    const openLazy = async () =>
      openRuntime({ ...options, instance: 'lazy', load: 'lazy', cacheFile: join(folder, 'lazy.cache') });

    let count = 0;
    /** The highest number that was seen in a name, by project. Numbers are only written in ascending order. */
    const seen = { eager: new Map<number, number>(), lazy: new Map<number, number>() };
    const see = (reader: keyof typeof seen, project: number, names: readonly (string | null)[]): void => {
      for (const name of names) {
        expect(Number(name)).toBeGreaterThanOrEqual(seen[reader].get(project) ?? 0);
        seen[reader].set(project, Number(name));
      }
    };
    const errors: string[] = [];
    const readLazily = (runtime: Awaited<ReturnType<typeof openLazy>>, changed: readonly ProjectVersion[]) =>
      Promise.all(
        changed.map(async ({ project_id }) => {
          const project = await runtime.project(project_id).catch(() => null);
          see('lazy', project_id, project?.results.map(({ name }) => name) ?? []);
        }),
      );
    const follow = async () => {
      const [eager, lazy] = await Promise.all([openEager(), openLazy()]);
      eager.on('change', (projects) => {
        for (const { project_id, results } of projects)
          see(
            'eager',
            project_id,
            results.map(({ name }) => name),
          );
      });
      lazy.on('change', async (projects) => readLazily(lazy, projects));
      for (const runtime of [eager, lazy])
        runtime.on('error', (error) => {
          if (!('code' in error)) errors.push(error.message);
        });
      return { eager, lazy };
    };

    for (const { id, records } of tenants) await records.update(id, { name: String(++count), enabled: true });
    let { eager, lazy } = await follow();
    const change = async (round: number): Promise<void> => {
      for (let n = 0; n < CHANGES; n++) {
        const changed = tenants[(round * 5 + n) % TENANTS];
        const next = { name: String(++count), enabled: (round + n) % 4 !== 0 };
        await changed?.records.update(changed.id, () => next);
      }
    };
    for (let round = 0; round < ROUNDS; round++) {
      const changing = change(round);
      await sleep((round * 61) % 150);
      if (round % 3 === 0) await killAndRestart(service, 'http');
      else if (round % 3 === 1) await cutConnections(service);
      else {
        await Promise.all([eager.close(), lazy.close()]);
        // Its file has what it had fetched when a page came, and stands in while the service is unavailable.
        seen.lazy.clear();
        ({ eager, lazy } = await follow());
      }
      await changing;
    }

    for (const { tenant, id } of tenants) {
      const { projectId } = tenant;
      const expected = await tenant.pluginConfigs.retrieve(id);
      const names = expected.enabled ? [expected.name] : [];
      await expect
        .poll(() => (eager.project(projectId)?.results ?? []).map(({ name }) => name), SLOW_POLL)
        .toEqual(names);
      await expect
        .poll(async () => ((await lazy.project(projectId))?.results ?? []).map(({ name }) => name), SLOW_POLL)
        .toEqual(names);
    }
    await expect
      .poll(async () => (await tenants[0]?.tenant.pluginConfigs.runtimes().page())?.results, SLOW_POLL)
      .toMatchObject([
        { instance: 'eager', current: true, status: 'applied' },
        { instance: 'lazy', current: true, status: 'applied' },
      ]);
    expect(errors).toEqual([]);
    await Promise.all([eager.close(), lazy.close()]);
  },
  TIMEOUT_MS,
);

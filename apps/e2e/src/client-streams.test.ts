import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginConfigs, StreamOptions } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { patientProject } from './testing/patient-project.ts';
import { runService, type RunningService } from './testing/running-service.ts';
import type { Tenant } from './testing/tenant.ts';

/** The moments between one start of the HTTP app and its end. */
const KILLED_AFTER_MS = [30, 700, 250];
const LAST = 'the last one';

test('no change of a record stays unseen, though the HTTP app is killed again and again', async () => {
  await using service = await runService();
  const tenant = await service.tenant();
  const ids = await Promise.all(Array.from({ length: 5 }, (_, index) => tenant.attach(index + 1)));
  const { pluginConfigs } = patientProject(tenant);
  const stream = await openStream((options) => followRecords(pluginConfigs, options));

  const killing = killRepeatedly(service, tenant);
  for (let change = 0; !killing.isDone(); change++) {
    const id = ids[change % ids.length] ?? 0;
    await pluginConfigs.update(id, () => ({ description: `change ${change}` }));
  }
  await killing.done;
  await pluginConfigs.create({ plugin: 6, name: LAST });
  const seen = await stream.followed;
  const listed = await pluginConfigs.list().page();
  for (const { id, description } of listed.results) expect(seen.get(id)).toBe(description);
});

/** Returns the descriptions of the records, as a follower that reads what the stream names knows them. */
async function followRecords(
  configs: PluginConfigs,
  options: StreamOptions,
): Promise<ReadonlyMap<number, string | null>> {
  const seen = new Map<number, string | null>();
  for await (const { event, data } of configs.stream(options)) {
    if (event === 'reset') throw new Error(`The stream was reset: ${data.reason}`);
    if (event === 'order') continue;
    const { name, description } = await configs.retrieve(data.id);
    seen.set(data.id, description);
    if (name === LAST) break;
  }
  return seen;
}

/** Resolves when the stream has its place, so that nothing is missed from then on. */
async function openStream<T>(follow: (options: StreamOptions) => Promise<T>) {
  const opened = Promise.withResolvers<void>();
  let connections = 0;
  const onOpen = (): void => {
    connections++;
    opened.resolve();
  };
  const followed = follow({ onOpen });
  followed.catch(opened.reject);
  await opened.promise;
  return { followed, connections: () => connections };
}

/** Kills the HTTP app and starts another one on its port, several times. */
function killRepeatedly(service: RunningService, { api }: Tenant) {
  let isDone = false;
  const kill = async (): Promise<void> => {
    let app = service.http;
    for (const afterMs of KILLED_AFTER_MS) {
      await sleep(afterMs);
      app.child.kill('SIGKILL');
      await app.exited;
      app = service.run('http', { PORT: new URL(api).port });
      await app.url();
    }
    isDone = true;
  };
  return { done: kill(), isDone: () => isDone };
}

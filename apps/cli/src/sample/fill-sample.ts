import {
  PluginConfigError,
  type LogSender,
  type PluginConfigClient,
  type PluginConfigs,
} from '@plugin-config/client';
import { SAMPLE_PLUGINS } from './sample-plugins.ts';
import { sampleMessages, type SampleRecords } from './sample-messages.ts';

const PROJECT = 'Sample shop';

interface Filled {
  readonly projectId: number;
  /** False if the project already existed. It is then left unchanged. */
  readonly isNew: boolean;
}

/** Fills a project with plugins, changes, logs and deliveries, for newcomers to explore. */
export async function fillSample(
  client: PluginConfigClient,
  sender: Pick<LogSender, 'send' | 'flush'>,
  now: Date,
): Promise<Filled> {
  for await (const { id, name } of client.projects()) {
    if (name === PROJECT) return { projectId: id, isNew: false };
  }
  await registerPlugins(client);
  const { id: projectId } = await client.createProject({ name: PROJECT });
  const project = client.project(projectId);
  const ids = await attach(project.pluginConfigs);
  for (const name of ['Drop internal traffic', 'Mask e-mail addresses']) {
    await project.pipelineTransformationConfigs.create({ plugin: 9001, name, enabled: true });
  }
  for (const message of sampleMessages(ids, now)) await sender.send(message);
  await sender.flush();
  return { projectId, isNew: true };
}

/** Registers the plugins whose ids are free. */
async function registerPlugins({ plugins }: PluginConfigClient): Promise<void> {
  for (const [id, registration] of Object.entries(SAMPLE_PLUGINS)) {
    const isFree = await plugins.retrieve(Number(id)).then(
      () => false,
      (error: unknown) => error instanceof PluginConfigError && error.code === 'not_found',
    );
    if (isFree) await plugins.register(Number(id), registration);
  }
}

async function attach(records: PluginConfigs): Promise<SampleRecords> {
  const healthy = await records.create({ plugin: 9001, name: 'GeoIP', enabled: true });
  await records.setConfiguration(healthy.id, { database: 'city' });
  const flaky = await records.create({ plugin: 9002, name: 'Orders to the shop', enabled: true });
  await records.setConfiguration(flaky.id, {
    endpoint: 'https://shop.example.com/events',
    token: 'sample-token',
    attempts: 5,
  });
  const failing = await records.create({
    plugin: 9003,
    name: 'Nightly export',
    description: 'For the finance team',
    enabled: true,
  });
  await records.setConfiguration(failing.id, { dataset: 'events' });
  const old = await records.create({ plugin: 9002, name: 'Old webhook', enabled: true });
  await records.update(old.id, { enabled: false, description: 'Replaced by "Orders to the shop"' });
  await records.rearrange({ plugin: 9003, order: 1 });
  await records.setConfiguration(failing.id, { dataset: 'events_daily', batch: 1000 });
  return { healthy: healthy.id, flaky: flaky.id, failing: failing.id };
}

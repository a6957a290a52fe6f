import {
  logSender,
  pluginConfigClient,
  PluginConfigError,
  type Message,
  type PluginConfigClient,
  type PluginConfigs,
  type Registration,
} from '@plugin-config/client';
import { ALERT_EXAMPLES } from '@plugin-config/contract';

/** The tenant whose plugins have logs and errors. */
const MAIN_TENANT = { externalId: 'acme-corp', name: 'Acme Corp' };
/** Tenants with a plugin each, by the id of the plugin. */
const OTHER_TENANTS = [
  { externalId: 'globex', name: 'Globex', plugin: 9001, config: { database: 'country' } },
  {
    externalId: 'initech',
    name: 'Initech',
    plugin: 9002,
    config: { endpoint: 'https://initech.example.com/events' },
  },
];

/** The plugins of the sample, by their ids. */
const PLUGINS: Readonly<Record<number, Registration>> = {
  9001: {
    slug: 'geoip',
    name: 'GeoIP',
    description: 'Adds country and city to each event',
    config_schema: [
      { key: 'database', type: 'choice', name: 'Database', choices: ['country', 'city'], default: 'country' },
      { key: 'overwrite', type: 'boolean', name: 'Replace existing values', default: false },
    ],
  },
  9002: {
    slug: 'webhook',
    name: 'Webhook',
    description: 'Sends each event to an address',
    url: 'https://example.com/webhook',
    config_schema: [
      { key: 'endpoint', type: 'string', name: 'Address', required: true, hint: 'Takes POST requests' },
      { key: 'token', type: 'string', name: 'Token', secret: true, hint: 'Sent in the Authorization header' },
      { key: 'attempts', type: 'number', name: 'Attempts', default: 3 },
      { key: 'headers', type: 'json', name: 'Further headers', default: {} },
    ],
    jobs: [
      {
        type: 'replay',
        name: 'Send again',
        description: 'Sends the events of this time that could not be delivered',
        payload_schema: {
          type: 'object',
          required: ['from', 'to'],
          properties: {
            from: { type: 'string', format: 'date-time', description: 'The first event' },
            to: { type: 'string', format: 'date-time', description: 'Events before this time' },
          },
          additionalProperties: false,
        },
      },
    ],
    checks: true,
  },
  9003: {
    slug: 'warehouse-export',
    name: 'Warehouse export',
    description: 'Writes events to a table, in batches',
    config_schema: [
      { key: 'dataset', type: 'string', name: 'Dataset', required: true },
      { key: 'key_file', type: 'json', name: 'Service account', secret: true },
      { key: 'batch', type: 'number', name: 'Events in a batch', default: 500 },
    ],
    checks: true,
  },
};

/** Fires for the failing record until its configuration has a service account. */
const ALERT = ALERT_EXAMPLES['A runtime cannot run a plugin'];

interface Target {
  readonly httpUrl: string;
  readonly workerUrl: string;
  readonly key: string;
}

interface Filled {
  readonly project: number;
  /** False if the tenant already existed. The sample is then left unchanged. */
  readonly isNew: boolean;
}

/** Fills three tenants with plugins, and one of them with changes, logs and deliveries, for newcomers to explore. */
export async function fillSample({ httpUrl, workerUrl, key }: Target): Promise<Filled> {
  const client = pluginConfigClient({ url: httpUrl, key });
  const known = await client.project(`ext:${MAIN_TENANT.externalId}`).retrieve().catch(nullIfNotFound);
  if (known !== null) return { project: known.id, isNew: false };
  await registerPlugins(client);
  const { id: project } = await createTenant(client, MAIN_TENANT);
  const { pluginConfigs, pipelineTransformationConfigs: pipeline, alerts } = client.project(project);
  const records = await attach(pluginConfigs);
  for (const name of ['Drop internal traffic', 'Mask e-mail addresses'])
    await pipeline.create({ plugin: 9001, name, enabled: true });
  await alerts.create(ALERT);
  for (const { plugin, config, ...tenant } of OTHER_TENANTS) {
    const { id } = await createTenant(client, tenant);
    await client
      .project(id)
      .pluginConfigs.create({ plugin, name: PLUGINS[plugin]?.name, enabled: true, config });
  }
  const sender = logSender({ url: workerUrl, key });
  for (const message of messages(records)) await sender.send(message);
  await sender.flush();
  return { project, isNew: true };
}

async function createTenant(client: PluginConfigClient, { externalId, name }: typeof MAIN_TENANT) {
  return client.createProject({ external_id: externalId, name });
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof PluginConfigError && error.code === 'not_found') return null;
  throw error;
}

/** Registers the plugins whose ids are free. */
async function registerPlugins({ plugins }: PluginConfigClient): Promise<void> {
  for (const [id, registration] of Object.entries(PLUGINS)) {
    const known = await plugins.retrieve(Number(id)).catch(nullIfNotFound);
    if (known === null) await plugins.register(Number(id), registration);
  }
}

/** The ids of the sample's records, by how they behave. */
interface SampleRecords {
  readonly healthy: number;
  readonly flaky: number;
  readonly failing: number;
}

async function attach(records: PluginConfigs): Promise<SampleRecords> {
  const endpoint = 'https://shop.example.com/events';
  const enabled = true;
  const healthy = await records.create({
    plugin: 9001,
    name: 'GeoIP',
    enabled,
    config: { database: 'city' },
  });
  const flaky = await records.create({
    plugin: 9002,
    name: 'Orders to the shop',
    enabled,
    config: { endpoint, token: 'sample-token', attempts: 5 },
  });
  const failing = await records.create({
    plugin: 9003,
    name: 'Nightly export',
    description: 'For the finance team',
    enabled,
    config: { dataset: 'events' },
  });
  const old = await records.create({ plugin: 9002, name: 'Old webhook', enabled, config: { endpoint } });
  await records.update(old.id, { enabled: false, description: 'Replaced by "Orders to the shop"' });
  await records.rearrange({ plugin: 9003, order: 1 });
  await records.setConfiguration(failing.id, { dataset: 'events_daily', batch: 1000 });
  return { healthy: healthy.id, flaky: flaky.id, failing: failing.id };
}

const MINUTE_MS = 60_000;
const HOURS = 24;
const FAILURE = 'The table events_daily does not exist in the dataset of the account';
const REASONS = ['503 from the receiver', 'No response within 10 s'];
const LINES = [
  ['INFO', 'Exported 120 events'],
  ['DEBUG', 'Batch of 40 events taken from the queue'],
  ['INFO', 'Exported 95 events'],
  ['WARN', 'Response took 2,140 ms'],
  ['INFO', 'Exported 131 events'],
  ['ERROR', '503 from the receiver, retrying in 2 s'],
] as const;

/** Yields logs of the last hours, deliveries of a day, and the error of the failing record. */
function* messages({ healthy, flaky, failing }: SampleRecords): Generator<Message> {
  const now = Date.now();
  const minutesAgo = (minutes: number): string => new Date(now - minutes * MINUTE_MS).toISOString();
  for (const [index, id] of [healthy, flaky, failing].entries()) {
    for (let hour = HOURS; hour > 0; hour--) {
      const volume = 60 + ((hour * 37 + index * 11) % 90);
      const failures = id === failing ? (hour < 5 ? volume : 0) : id === flaky ? (hour * 7) % 9 : 0;
      yield {
        kind: 'delivery',
        plugin_config_id: id,
        timestamp: minutesAgo(hour * 60 - 30),
        successes: volume - failures,
        successes_on_retry: id === flaky ? (hour * 5) % 7 : 0,
        failures,
        failed: id === flaky ? eventsOf(hour, failures) : [],
      };
    }
    for (let entry = 240; entry > 0; entry--) {
      const [type, message] = LINES[(entry * 5 + index) % LINES.length] ?? LINES[0];
      yield { plugin_config_id: id, timestamp: minutesAgo(entry), type, message };
    }
  }
  yield { plugin_config_id: failing, timestamp: minutesAgo(0.5), type: 'ERROR', message: FAILURE };
  yield { kind: 'error', plugin_config_id: failing, timestamp: minutesAgo(0.5), error: FAILURE };
}

/** Returns the events that could not be delivered in an hour. */
function eventsOf(hour: number, count: number): readonly { readonly ref: string; readonly reason: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: `order-${hour * 100 + index}`,
    reason: REASONS[index % REASONS.length] ?? '',
  }));
}

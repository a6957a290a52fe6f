import type { FamilyRef } from '@plugin-config/domain';
import { anAuthor } from '@plugin-config/testing';
import type { Call } from './caller.ts';
import type { Service } from './service.fixture.ts';

/** The plugin of the examples of checks and jobs. */
const SLUG = 'geoip';
const TYPE = 'replay';

/** A record with a job that the runtime of the examples has taken, and a queued check. */
export interface TakenJob {
  readonly record: number;
  readonly job: string;
  readonly check: string;
}

async function registerPluginWithJobs({ ports }: Pick<Service, 'ports'>): Promise<number> {
  const plugin = { id: `slug:${SLUG}`, name: 'GeoIP', jobs: [{ type: TYPE }], checks: true } as const;
  return (await ports.plugins.register(plugin, new Map(), anAuthor({ at: new Date() }))).id;
}

/** `call` is for the family, and may change its records. */
export async function takeJob(
  service: Service,
  { projectId, family }: FamilyRef,
  call: Call,
): Promise<TakenJob> {
  const plugin = await registerPluginWithJobs(service);
  const { body: record } = await call('POST', '', { body: { plugin } });
  const queued = await call('POST', `/${record.id}/job`, { body: { job: { type: TYPE } } });
  const { body: check } = await call('POST', '/checks', { body: { plugin, config: {} } });
  const { key } = await service.issueKey();
  await service.ports.pluginJobs.claim({
    keyId: key.id,
    instance: 'shop-eu-1',
    lanes: [{ family, plugin, type: TYPE, projectId }],
    limit: 1,
    leaseSeconds: 600,
  });
  return {
    record: record.id,
    job: queued.headers.get('location')?.split('/').at(-1) ?? '',
    check: String(check.id),
  };
}

/** Whether requests of a path need what `takeJob` returns. */
export const isAboutPluginJobs = (path: string): boolean =>
  path.includes('/checks') || /^\/api\/runtime\/[^/]+\/jobs\/[:{]/.test(path);

import { pluginConfigClient, type ProjectClient } from '@plugin-config/client';
import type { Tenant } from './tenant.ts';

/** Returns the tenant's project with a client that retries while the HTTP app is down. */
export function retryingProject({ api, token, projectId }: Tenant, url = api): ProjectClient {
  const retry = { attempts: 1_000, maxPauseMs: 200, totalMs: 60_000 };
  return pluginConfigClient({ url, key: token, retry }).project(projectId);
}

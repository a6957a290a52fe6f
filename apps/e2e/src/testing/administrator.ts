import { pluginConfigClient, type PluginConfigClient } from '@plugin-config/client';
import type { RunningService } from './running-service.ts';

/** A client of a service with a new key for everything. */
export async function administrator({
  http,
  issueKey,
}: Pick<RunningService, 'http' | 'issueKey'>): Promise<PluginConfigClient> {
  return pluginConfigClient({ url: await http.url(), key: await issueKey(['*']) });
}

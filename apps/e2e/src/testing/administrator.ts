import { pluginConfigClient, type PluginConfigClient } from '@plugin-config/client';
import type { RunningService } from './running-service.ts';

/** Returns a client with a new, unrestricted key. */
export async function administrator({
  http,
  issueKey,
}: Pick<RunningService, 'http' | 'issueKey'>): Promise<PluginConfigClient> {
  return pluginConfigClient({ url: await http.url(), key: await issueKey(['*']) });
}

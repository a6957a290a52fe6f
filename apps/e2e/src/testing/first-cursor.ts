import type { Tenant } from './tenant.ts';

/** The version of the plugin configs of a tenant before their first change. */
export async function firstCursor(tenant: Tenant): Promise<string> {
  const { headers } = await tenant.call('GET', '/plugin_configs?limit=1');
  return headers.get('x-family-version')?.replace(/\d+$/, '0') ?? '';
}

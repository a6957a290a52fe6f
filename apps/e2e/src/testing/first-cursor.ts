import type { Tenant } from './tenant.ts';

/** Returns the family version of a tenant's plugin configs before their first change. */
export async function firstCursor(tenant: Tenant): Promise<string> {
  const { headers } = await tenant.call('GET', '/plugin_configs?limit=1');
  return headers.get('x-family-version')?.replace(/\d+$/, '0') ?? '';
}

import type { Json, Registration } from '@plugin-config/client';
import { registerPlugin } from './register-plugin.ts';
import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Registers a plugin and attaches it in a new project with a configuration. */
export async function configuredRecord(
  service: RunningService,
  plugin: Registration & { readonly id: number },
  stored: Readonly<Record<string, Json>>,
): Promise<{ readonly tenant: Tenant; readonly id: number }> {
  await registerPlugin(service, plugin);
  const tenant = await service.tenant();
  const id = await tenant.attach(plugin.id);
  await tenant.pluginConfigs.setConfiguration(id, stored);
  return { tenant, id };
}

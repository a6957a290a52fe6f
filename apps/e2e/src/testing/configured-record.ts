import type { Json, Registration } from '@plugin-config/client';
import { WITH_SESSIONS } from './console-page.ts';
import { registerPlugin } from './register-plugin.ts';
import type { RunningService } from './running-service.ts';
import type { Tenant } from './tenant.ts';

/** Registers a plugin, and attaches it in a new project with a configuration. The service runs `WITH_SESSIONS`. */
export async function configuredRecord(
  service: RunningService,
  plugin: Registration & { readonly id: number },
  stored: Readonly<Record<string, Json>>,
): Promise<{ readonly tenant: Tenant; readonly id: number }> {
  await registerPlugin(service, plugin, WITH_SESSIONS.SECRETS_KEYS);
  const tenant = await service.tenant();
  const id = await tenant.attach(plugin.id);
  await tenant.pluginConfigs.setConfiguration(id, stored);
  return { tenant, id };
}

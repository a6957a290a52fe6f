import { registerPlugin, type Plugin } from '@plugin-config/domain';
import { inform } from '../output.ts';
import { operator } from '../operator.ts';
import type { Services } from '../services.ts';

export async function register(services: Services, plugin: Plugin): Promise<void> {
  await services.masterKeys.require();
  await registerPlugin(services, plugin, operator(services));
  inform(`Plugin ${plugin.id} (${JSON.stringify(plugin.name)}) is registered.`);
}

import type { Registration } from '@plugin-config/client';
import { administrator } from './administrator.ts';
import type { RunningService } from './running-service.ts';

/** Registers a plugin or replaces its registration. */
export async function registerPlugin(
  service: Pick<RunningService, 'http' | 'issueKey'>,
  { id, ...registration }: Registration & { readonly id: number },
): Promise<void> {
  const { plugins } = await administrator(service);
  await plugins.register(id, registration);
}

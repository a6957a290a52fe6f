import { onTestFinished } from 'vitest';
import { openRuntime, type PluginRuntime, type RuntimeOptions } from '../runtime/index.ts';

/** Opens a runtime of one project, which is closed after the test. */
export async function openOne(
  { url }: { readonly url: string },
  options: Partial<RuntimeOptions> = {},
): Promise<PluginRuntime> {
  const runtime = await openRuntime({
    url,
    key: 'phx_key',
    project: 1,
    family: 'plugin_configs',
    instance: 'test',
    retry: { baseMs: 1, maxPauseMs: 5 },
    ...options,
  });
  onTestFinished(async () => runtime.close());
  return runtime;
}

import { openRuntime, type PluginRuntime, type RuntimeRecord } from '@plugin-config/client/runtime';
import { inform } from '../output.ts';

interface Options {
  readonly url: string;
  /** A key with the scope `plugin_runtime`. */
  readonly key: string;
  readonly project: number;
  /** Stores the last configuration, for starts while the service is down. */
  readonly cacheFile: string;
}

/** Runs the sample's plugins: applies each changed configuration, and reports records that fail. */
export async function sampleRuntime(options: Options): Promise<PluginRuntime> {
  const runtime = await openRuntime({
    ...options,
    family: 'plugin_configs',
    instance: 'sample-runtime',
    labels: { region: 'local' },
  });
  runtime.on('change', ({ results }) => {
    const failed = results.flatMap((record) => {
      const error = apply(record);
      return error === null ? [] : [{ id: record.id, error }];
    });
    if (failed.length > 0) runtime.failed(`${failed.length} of ${results.length} records failed`, failed);
  });
  runtime.on('error', ({ message }) => inform(`Sample runtime: ${message}`));
  return runtime;
}

/** Simulates a plugin. Returns an error message, or null. */
function apply({ config: { dataset, key_file: account } }: RuntimeRecord): string | null {
  if (dataset === undefined || account !== undefined) return null;
  return `Cannot write to ${JSON.stringify(dataset)} without a service account: set "key_file"`;
}

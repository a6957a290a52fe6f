import { openRuntime, type ProjectsRuntime, type RuntimeRecord } from '@plugin-config/client/runtime';
import { inform } from '../output.ts';

interface Options {
  readonly url: string;
  /** A key with the scope `plugin_runtime`. */
  readonly key: string;
  /** Stores the last configurations, for starts while the service is down. */
  readonly cacheFile: string;
}

/** Runs the plugins of all projects in one process: applies each changed project, and reports records that fail. */
export async function sampleRuntime(options: Options): Promise<ProjectsRuntime> {
  const runtime = await openRuntime({
    ...options,
    projects: 'all',
    family: 'plugin_configs',
    instance: 'sample-runtime',
    labels: { region: 'local' },
  });
  runtime.on('change', (projects) => {
    const failed = projects.flatMap(({ project_id, results }) =>
      results.flatMap((record) => {
        const error = apply(record);
        return error === null ? [] : [{ project_id, id: record.id, error }];
      }),
    );
    if (failed.length > 0) runtime.failed(`${failed.length} records failed`, failed);
  });
  runtime.on('error', ({ message }) => inform(`Sample runtime: ${message}`));
  return runtime;
}

/** Simulates a plugin. Returns an error message, or null. */
function apply({ config: { dataset, key_file: account } }: RuntimeRecord): string | null {
  if (dataset === undefined || account !== undefined) return null;
  return `Cannot write to ${JSON.stringify(dataset)} without a service account: set "key_file"`;
}

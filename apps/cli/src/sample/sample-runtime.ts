import { openRuntime, type ProjectsRuntime } from '@plugin-config/client/runtime';
import { inform } from '../output.ts';
import { problemsOf, sampleJobs, type JobTarget } from './sample-jobs.ts';

interface Options extends JobTarget {
  /** Stores the last configurations, for starts while the service is down. */
  readonly cacheFile: string;
}

/** Runs the plugins of all projects in one process: applies each changed project, reports records that fail, and does jobs. */
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
        // A real runtime would start the plugin here.
        const [problem] = problemsOf(record.config);
        return problem === undefined ? [] : [{ project_id, id: record.id, error: problem.detail }];
      }),
    );
    if (failed.length > 0) runtime.failed(`${failed.length} records failed`, failed);
  });
  runtime.on('error', ({ message }) => inform(`Sample runtime: ${message}`));
  runtime.jobs(sampleJobs(options), { plugins: ['slug:webhook', 'slug:warehouse-export'] });
  return runtime;
}

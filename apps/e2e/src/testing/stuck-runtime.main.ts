import { openRuntime } from '@plugin-config/client/runtime';

// A runtime that takes jobs and does not end them.

const { API_URL: url = '', KEY: key = '', PROJECT: project } = process.env;
const options = { url, key, family: 'plugin_configs', instance: 'stuck' } as const;
const runtime = await openRuntime({ ...options, project: Number(project) });
runtime.jobs(
  {
    replay: async ({ progress }) => {
      progress(0.1, 'Stuck');
      await new Promise(() => undefined);
    },
  },
  { leaseSeconds: 10 },
);

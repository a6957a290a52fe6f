import { setTimeout as sleep } from 'node:timers/promises';
import { openRuntime, type JobHandlers } from '../runtime/index.ts';

// A runtime for `runtime-check`: `node checked-runtime.main.ts [all]`.

const {
  API_URL: url = '',
  KEY: key = '',
  CONFIG_FILE: cacheFile = '',
  INSTANCE: instance = '',
  LEASE_SECONDS: leaseSeconds = '60',
} = process.env;
const options = { url, key, cacheFile, instance, family: 'plugin_configs' } as const;
const handlers: JobHandlers = {
  echo: async ({ payload, signal }) => {
    const { seconds, fail } = payload as { readonly seconds: number; readonly fail: boolean };
    await sleep(seconds * 1000, undefined, { signal });
    if (fail) throw new Error('It was told to fail.');
    return payload;
  },
};
const settings = { leaseSeconds: Number(leaseSeconds) };

if (process.argv[2] === 'all') {
  const runtime = await openRuntime({ ...options, projects: 'all' });
  runtime.on('error', ({ message }) => print(message));
  runtime.jobs(handlers, settings);
  runtime.on('change', (projects) => {
    for (const { project_id, results } of projects)
      print(['run', project_id, ...results.map(({ plugin_slug }) => plugin_slug)].join(' '));
  });
} else {
  const runtime = await openRuntime({ ...options, project: '@current' });
  runtime.on('error', ({ message }) => print(message));
  runtime.jobs(handlers, settings);
  runtime.on('change', ({ results }) => results.forEach(({ plugin_slug }) => print(`run ${plugin_slug}`)));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { openRuntime } from '../runtime/index.ts';

// A runtime for `runtime-check`: `node checked-runtime.main.ts [all]`.

const {
  API_URL: url = '',
  KEY: key = '',
  CONFIG_FILE: cacheFile = '',
  INSTANCE: instance = '',
} = process.env;
const options = { url, key, cacheFile, instance, family: 'plugin_configs' } as const;

if (process.argv[2] === 'all') {
  const runtime = await openRuntime({ ...options, projects: 'all' });
  runtime.on('error', ({ message }) => print(message));
  runtime.on('change', (projects) => {
    for (const { project_id, results } of projects)
      print(['run', project_id, ...results.map(({ plugin_slug }) => plugin_slug)].join(' '));
  });
} else {
  const runtime = await openRuntime({ ...options, project: '@current' });
  runtime.on('error', ({ message }) => print(message));
  runtime.on('change', ({ results }) => results.forEach(({ plugin_slug }) => print(`run ${plugin_slug}`)));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

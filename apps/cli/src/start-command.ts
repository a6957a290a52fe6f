import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { Invocation } from './command.ts';
import { reason } from './reason.ts';
import type { ReadyService } from './start/run-everything.ts';

export function startCommand({ env, exit }: Invocation): Command {
  return new Command('start')
    .description('Runs the whole service on this machine: database, HTTP app and worker.')
    .option(
      '--sample',
      'create three tenants with sample data to explore in the console, and let webhooks reach this machine',
    )
    .addHelpText('after', '\nExample:\n  npm start')
    .action(async ({ sample }: { readonly sample?: true }) => {
      const { start } = await import('./start/start.ts');
      if (sample) exit(await start({ whenReady: startSample }, { ...SAMPLE_SETTINGS, ...env }));
      else exit(await start({}, env));
    });
}

/** Lets webhooks reach receivers on this machine, and keeps the requests of the runtime out of the terminal. */
const SAMPLE_SETTINGS = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8,::1/128',
  LOG_LEVEL: 'warn',
};

/** Fills the sample, and runs the plugins of all projects until the service stops. */
async function startSample(
  { httpUrl, workerUrl, apiKey }: ReadyService,
  resources: AsyncDisposableStack,
): Promise<string> {
  if (apiKey === undefined)
    return 'The sample could not be created: it needs the API key that a first start with the embedded database creates.\n';
  const { key, file } = apiKey;
  try {
    const [{ fillSample }, { sampleRuntime }] = await Promise.all([
      import('./sample/fill-sample.ts'),
      import('./sample/sample-runtime.ts'),
    ]);
    const { project, isNew } = await fillSample({ httpUrl, workerUrl, key });
    const cacheFile = join(dirname(file), 'sample-runtime');
    const runtime = await sampleRuntime({ url: httpUrl, workerUrl, key, cacheFile });
    resources.defer(() => runtime.close());
    const url = `${httpUrl}/console/projects/${project}/plugin_configs`;
    return `The sample ${isNew ? 'is' : 'already exists as'} project ${project}: ${url}\n`;
  } catch (error) {
    return `The sample could not be created: ${reason(error)}\n`;
  }
}

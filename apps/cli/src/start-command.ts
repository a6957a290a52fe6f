import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { Invocation } from './invocation.ts';
import { reason } from './reason.ts';
import { readClickHouse } from './settings.ts';
import type { ReadyService } from './start/banner.ts';
import type { SetUp } from './start/set-up.ts';
import { withServices } from './with-services.ts';

export function startCommand({ env, exit }: Invocation): Command {
  return new Command('start')
    .description('Runs the whole service on this machine: database, HTTP app and worker.')
    .option('--sample', 'create a project with sample data to explore in the console')
    .addHelpText('after', '\nExample:\n  npm start')
    .action(async ({ sample }: { readonly sample?: true }) => {
      const { start } = await import('./start/start.ts');
      const whenReady = sample === undefined ? undefined : runSample;
      exit(await start({ loadSetUp: () => loadSetUp(env), whenReady }, env));
    });
}

/** Fills the sample project, and runs its plugins until the service stops. */
async function runSample(service: ReadyService, resources: AsyncDisposableStack): Promise<string> {
  const text = await startSample(service, resources).catch(
    (error: unknown) => `The sample could not be created: ${reason(error)}`,
  );
  return `${text}\n\n`;
}

async function startSample(
  { httpUrl, workerUrl, apiKey }: ReadyService,
  resources: AsyncDisposableStack,
): Promise<string> {
  if (apiKey === undefined)
    return 'The sample could not be created: it needs the API key that a first start with the embedded database creates.';
  const [{ fillSample }, { sampleRuntime }, { logSender, pluginConfigClient }] = await Promise.all([
    import('./sample/fill-sample.ts'),
    import('./sample/sample-runtime.ts'),
    import('@plugin-config/client'),
  ]);
  const { key, file } = apiKey;
  const client = pluginConfigClient({ url: httpUrl, key });
  const { projectId, isNew } = await fillSample(client, logSender({ url: workerUrl, key }), new Date());
  const cacheFile = join(dirname(file), 'sample-runtime');
  const runtime = await sampleRuntime({ url: httpUrl, key, project: projectId, cacheFile });
  resources.defer(() => runtime.close());
  const url = `${httpUrl}/console/projects/${projectId}/plugin_configs`;
  return isNew
    ? `The sample is project ${projectId}: ${url}`
    : `The sample already exists as project ${projectId}: ${url}`;
}

async function loadSetUp(env: NodeJS.ProcessEnv): Promise<SetUp> {
  const [{ migrateAll }, { firstStart }] = await Promise.all([
    import('./migrate-all.ts'),
    import('./first-start.ts'),
  ]);
  return {
    migrate: (databaseUrl) => migrateAll(databaseUrl, readClickHouse(env)),
    firstStart,
    masterKeys: (databaseUrl) =>
      withServices({ DATABASE_URL: databaseUrl }, async ({ masterKeys }) =>
        (await masterKeys.uses()).map(({ keyId }) => keyId),
      ),
  };
}

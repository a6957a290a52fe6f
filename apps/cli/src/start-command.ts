import { neededSecretKeys } from '@plugin-config/domain';
import { Command } from 'commander';
import type { Invocation } from './invocation.ts';
import { readClickHouse } from './settings.ts';
import type { SetUp } from './start/index.ts';
import { withServices } from './with-services.ts';

export function startCommand({ env, exit }: Invocation): Command {
  return new Command('start')
    .description('Runs everything on this machine: database, HTTP app, worker.')
    .addHelpText('after', '\nExample:\n  npm start')
    .action(async () => {
      const { start } = await import('./start/index.ts');
      exit(await start({ loadSetUp: () => loadSetUp(env) }, env));
    });
}

async function loadSetUp(env: NodeJS.ProcessEnv): Promise<SetUp> {
  const [{ migrateAll }, { firstStart }] = await Promise.all([
    import('./migrate-all.ts'),
    import('./first-start.ts'),
  ]);
  return {
    migrate: (databaseUrl) => migrateAll(databaseUrl, readClickHouse(env)),
    firstStart,
    secretKeys: (databaseUrl) => withServices({ DATABASE_URL: databaseUrl }, neededSecretKeys),
  };
}

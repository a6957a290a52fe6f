import { Command } from 'commander';
import type { Invocation } from './invocation.ts';
import { inform } from './output.ts';
import type { SetUp } from './start/index.ts';

export function startCommand({ env, exit }: Invocation): Command {
  return new Command('start')
    .description('Runs everything on this machine: database, HTTP app, worker.')
    .addHelpText('after', '\nExample:\n  npm start')
    .action(async () => {
      const { start } = await import('./start/index.ts');
      exit(await start({ loadSetUp }, env));
    });
}

async function loadSetUp(): Promise<SetUp> {
  const [{ migrate }, { firstStart }] = await Promise.all([
    import('@plugin-config/persistence'),
    import('./first-start.ts'),
  ]);
  return { migrate: (databaseUrl) => migrate(databaseUrl, { onWait: inform }), firstStart };
}

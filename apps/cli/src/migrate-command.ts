import { Command } from 'commander';
import { print, tell } from './output.ts';
import type { Invocation } from './invocation.ts';
import { readSettings } from './settings.ts';
import { example } from './usage.ts';

export function migrateCommand({ env }: Invocation): Command {
  return new Command('migrate')
    .description('Brings the schema of the database up to date. Prints the steps that it took.')
    .addHelpText('after', example('migrate'))
    .action(async () => {
      const { databaseUrl } = await readSettings(env);
      const { migrate } = await import('@plugin-config/persistence');
      for (const step of await migrate(databaseUrl, { onWait: tell })) print(step);
      tell('The schema is up to date.');
    });
}

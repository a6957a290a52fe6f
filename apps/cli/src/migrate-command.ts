import { Command } from 'commander';
import { print, inform } from './output.ts';
import type { Invocation } from './invocation.ts';
import { readSettings } from './settings.ts';
import { example } from './usage.ts';

export function migrateCommand({ env }: Invocation): Command {
  return new Command('migrate')
    .description('Brings the schema of the database up to date. Prints the migrations that it ran.')
    .addHelpText('after', example('migrate'))
    .action(async () => {
      const { databaseUrl } = await readSettings(env);
      const { migrate } = await import('@plugin-config/persistence');
      for (const step of await migrate(databaseUrl, { onWait: inform })) print(step);
      inform('The schema is up to date.');
    });
}

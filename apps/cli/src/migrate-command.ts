import { Command } from 'commander';
import { print, inform } from './output.ts';
import type { Invocation } from './invocation.ts';
import { readSettings } from './settings.ts';
import { example } from './usage.ts';

export function migrateCommand({ env }: Invocation): Command {
  return new Command('migrate')
    .description('Migrates the database to the latest schema. Prints the migrations that it runs.')
    .addHelpText('after', example('migrate'))
    .action(async () => {
      const { databaseUrl, clickHouse } = await readSettings(env);
      const { migrateAll } = await import('./migrate-all.ts');
      for (const step of await migrateAll(databaseUrl, clickHouse)) print(step);
      inform('The schema is up to date.');
    });
}

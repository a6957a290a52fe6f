import { Command } from 'commander';
import type { Invocation } from './command.ts';
import { inform, print } from './output.ts';
import { readSettings } from './settings.ts';

export function migrateCommand({ env }: Invocation): Command {
  return new Command('migrate')
    .description('Migrates the database to the latest schema. Prints the migrations that it runs.')
    .action(async () => {
      const { databaseUrl } = await readSettings(env);
      const { migrateAll } = await import('./set-up.ts');
      for (const step of await migrateAll(databaseUrl, env)) print(step);
      inform('The schema is up to date.');
    });
}

import { Command } from 'commander';
import { findDatabase } from './database.ts';
import { print, tell } from './output.ts';
import type { Invocation } from './invocation.ts';
import { example } from './usage.ts';

export function migrateCommand({ env }: Invocation): Command {
  return new Command('migrate')
    .description('Brings the schema of the database up to date. Prints the steps that it took.')
    .addHelpText('after', example('migrate'))
    .action(async () => {
      const { url } = await findDatabase(env);
      const { migrate } = await import('@plugin-config/persistence');
      for (const step of await migrate(url)) print(step);
      tell('The schema is up to date.');
    });
}

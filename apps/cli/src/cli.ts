import { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { configCommand } from './config/config-command.ts';
import { deadLetterCommand } from './dead-letter/dead-letter-command.ts';
import type { Invocation } from './invocation.ts';
import { keyCommand } from './key/key-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { pluginCommand } from './plugin/plugin-command.ts';
import { projectCommand } from './project/project-command.ts';
import { secretsCommand } from './secrets/secrets-command.ts';
import { startCommand } from './start-command.ts';
import { example, PROGRAM, strict } from './usage.ts';

const COMMANDS = [
  startCommand,
  migrateCommand,
  projectCommand,
  keyCommand,
  pluginCommand,
  secretsCommand,
  deadLetterCommand,
  configCommand,
];

const DATABASE = `
The commands work on the database at DATABASE_URL. If it is not set, they use the
embedded database in DATA_DIR (.data) while npm start is running. The config
commands use the API instead.`;

/** Defines the commands. Each loads its dependencies only when it runs, which keeps the help fast. */
export function operatorProgram(invocation: Invocation): Command {
  const program = new Command(PROGRAM)
    .description('Operates the plugin configuration service.')
    .version(manifest.version, '--version', 'print the version')
    .addHelpText('after', DATABASE)
    .addHelpText('after', example('key create --label "CI" --scope plugin:write'));
  for (const command of COMMANDS) program.addCommand(command(invocation));
  return strict(program);
}

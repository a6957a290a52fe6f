import { Command } from 'commander';
import { deadLetterCommand } from './dead-letter/dead-letter-command.ts';
import type { Invocation } from './invocation.ts';
import { keyCommand } from './key/key-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { pluginCommand } from './plugin/plugin-command.ts';
import { PROGRAM } from './program-name.ts';
import { projectCommand } from './project/project-command.ts';
import { secretsCommand } from './secrets/secrets-command.ts';
import { startCommand } from './start-command.ts';
import { example, strict } from './usage.ts';

const COMMANDS = [
  startCommand,
  migrateCommand,
  projectCommand,
  keyCommand,
  pluginCommand,
  secretsCommand,
  deadLetterCommand,
];

const DATABASE = `
It works on the database at DATABASE_URL; without one, on the embedded database
of DATA_DIR (.data) while npm start runs it.`;

/** All that an operator can do. What a command needs is loaded when it runs: this much answers at once. */
export function operatorProgram(invocation: Invocation): Command {
  const program = new Command(PROGRAM)
    .description('Operates the plugin configuration service.')
    .addHelpText('after', DATABASE)
    .addHelpText('after', example('key create --label "CI" --scope plugin:write'));
  for (const command of COMMANDS) program.addCommand(command(invocation));
  return strict(program);
}

import { Command, CommanderError } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { apiCommand } from './api-command.ts';
import { example, PROGRAM, strict, type Invocation } from './command.ts';
import { configCommand } from './config/config-command.ts';
import { deadLetterCommand } from './dead-letter/dead-letter-command.ts';
import { importCommand } from './import/import-command.ts';
import { keyCommand } from './key/key-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { inform } from './output.ts';
import { pluginCommand } from './plugin/plugin-command.ts';
import { projectCommand } from './project/project-command.ts';
import { reason } from './reason.ts';
import { secretsCommand } from './secrets/secrets-command.ts';

const COMMANDS = [
  migrateCommand,
  projectCommand,
  keyCommand,
  pluginCommand,
  secretsCommand,
  deadLetterCommand,
  importCommand,
  configCommand,
  apiCommand,
];

const DATABASE = `
The commands work on the database at DATABASE_URL. If it is not set, they use the
embedded database in DATA_DIR (.data) while npm start is running. The import, config
and api commands use the API instead.`;

type Definition = (invocation: Invocation) => Command;

/** Defines the commands, after those in `first`. Each loads its dependencies only when it runs, which keeps the help fast. */
export function operatorProgram(invocation: Invocation, first: readonly Definition[] = []): Command {
  const program = new Command(PROGRAM)
    .description('Operates the plugin configuration service.')
    .version(manifest.version, '--version', 'print the version')
    .addHelpText('after', DATABASE)
    .addHelpText('after', example('key create --label "CI" --scope plugin:write'));
  for (const command of [...first, ...COMMANDS]) program.addCommand(command(invocation));
  return strict(program);
}

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command and returns its exit code. */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  first: readonly Definition[] = [],
): Promise<number> {
  let exitCode = DONE;
  const program = operatorProgram({ env, exit: (code) => (exitCode = code) }, first);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      inform(reason(error));
      return FAILED;
    }
    if (error.exitCode === DONE) return DONE;
    // For these commands, exit code 2 means that there are differences.
    return args[0] === 'config' ? FAILED : WRONG_USAGE;
  }
}

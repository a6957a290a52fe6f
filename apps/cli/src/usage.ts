import { DomainError } from '@plugin-config/domain';
import { type Command, InvalidArgumentError } from 'commander';

/** The command line that runs this program. */
export const PROGRAM = 'npm run --silent cli --';

export const JSON_OPTION = ['--json', 'print JSON, for machines'] as const;

export function example(...commands: readonly string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return [`\n${title}:`, ...commands.map((command) => `  ${PROGRAM} ${command}`)].join('\n');
}

/** Reports a domain error in an argument as wrong usage. */
export function asArgument<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof DomainError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

/** Makes wrong usage an error with the usage line, for this command and its subcommands. */
export function strict(command: Command): Command {
  command.exitOverride().showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}`);
  requireLast(command);
  command.commands.forEach(strict);
  return command;
}

/** Checks for missing options last, so that a misspelt option is reported as unknown. */
function requireLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

import { DomainError } from '@plugin-config/domain';
import { type Command, InvalidArgumentError } from 'commander';

/** How users run this program. */
export const PROGRAM = 'npm run --silent cli --';

export const JSON_OPTION = ['--json', 'print JSON'] as const;

export function example(...commands: readonly string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return [`\n${title}:`, ...commands.map((command) => `  ${PROGRAM} ${command}`)].join('\n');
}

/** Turns a domain error about an argument into a usage error. */
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

/** Makes wrong usage of this command and its subcommands an error that shows the usage line. */
export function strict(command: Command): Command {
  command.exitOverride().showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}`);
  requireLast(command);
  command.commands.forEach(strict);
  return command;
}

/** Checks for missing options last, so a misspelt option is reported as unknown rather than missing. */
function requireLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.makeOptionMandatory(false);
  command.hook('preAction', () => {
    const missing = required.find((option) => command.getOptionValue(option.attributeName()) === undefined);
    if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
  });
}

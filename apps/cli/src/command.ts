import {
  DomainError,
  EXTERNAL_PREFIX,
  externalIdOf,
  INTEGER_MAX,
  OPERATOR,
  SLUG_PREFIX,
  slugOf,
  type Author,
  type Clock,
  type ExternalRef,
  type Page,
  type PageRequest,
  type PluginRef,
} from '@plugin-config/domain';
import { Command, InvalidArgumentError } from 'commander';
import type { Services } from './container.ts';
import { readSettings } from './settings.ts';

export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  /** Sets the exit code of the command. */
  exit(code: number): void;
}

/** How the command is called: in the repository, or from its package, which is compiled. */
export const PROGRAM = import.meta.url.endsWith('.ts') ? 'npm run --silent cli --' : 'plugin-config';

export const JSON_OPTION = ['--json', 'print JSON'] as const;

/** The exit code for differences, with `--exit-code`. */
export const DIFFERS = 2;
export const EXIT_CODE_OPTION = [
  '--exit-code',
  `exit with code ${DIFFERS} if there are differences`,
] as const;

export interface JsonOption {
  readonly json?: true | undefined;
}

/** Creates a command with subcommands and examples. */
export function group(
  name: string,
  description: string,
  { commands, examples }: { readonly commands: readonly Command[]; readonly examples: readonly string[] },
): Command {
  const created = new Command(name).description(description).helpCommand(false);
  for (const command of commands) created.addCommand(command);
  return created.addHelpText('after', example(...examples));
}

export function example(...commands: readonly string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return [`\n${title}:`, ...commands.map((command) => `  ${PROGRAM} ${command}`)].join('\n');
}

/** Makes wrong usage of this command and its subcommands an error that shows the usage line, with all required options. */
export function strict(command: Command): Command {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  command.usage([...required, command.usage()].join(' '));
  command.exitOverride().showHelpAfterError(`Usage: ${command.createHelp().commandUsage(command)}`);
  command.commands.forEach(strict);
  return command;
}

/** Returns a parser for whole numbers from `min` to `max`. */
export function wholeNumber(max = Number.MAX_SAFE_INTEGER, min = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

export const readId = wholeNumber();

/** Parses a project: its id, or `ext:` and its external id. */
export function readProject(text: string): number | ExternalRef {
  if (/^\d+$/.test(text)) return readId(text);
  if (!text.startsWith(EXTERNAL_PREFIX))
    throw new InvalidArgumentError('Expected a whole number, or ext: and an external id.');
  return `${EXTERNAL_PREFIX}${asArgument(externalIdOf)(text.slice(EXTERNAL_PREFIX.length))}`;
}

const readPluginId = wholeNumber(INTEGER_MAX);

/** Parses a plugin: its id, or `slug:` and its slug. */
export function readPlugin(text: string): PluginRef {
  if (/^\d+$/.test(text)) return readPluginId(text);
  if (!text.startsWith(SLUG_PREFIX))
    throw new InvalidArgumentError('Expected a whole number, or slug: and a slug.');
  return `${SLUG_PREFIX}${asArgument(slugOf)(text.slice(SLUG_PREFIX.length))}`;
}

/** Returns a parser for the values of a repeatable option or argument. */
export function repeated<T>(read: (text: string) => T) {
  return (text: string, before: readonly T[] = []): readonly T[] => [...new Set([...before, read(text)])];
}

/** Turns a domain error about an argument into a usage error. */
export function asArgument<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      throw error instanceof DomainError ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Opens the services that the environment describes, runs `work` with them, and closes them. */
export async function withServices<T>(
  env: NodeJS.ProcessEnv,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(env);
  const { openServices } = await import('./container.ts');
  const services = await openServices(settings);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

/** Returns the author of the changes that a command makes now. */
export function operatorAuthor({ clock }: { readonly clock: Clock }): Author {
  return { actor: OPERATOR, requestId: null, at: clock.now() };
}

const PAGE = 1000;

/** Reads a whole list, page by page. */
export async function allPages<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const { count, items } = await read({ limit: PAGE, offset: all.length });
    all.push(...items);
    if (items.length === 0 || all.length >= count) return all;
  }
}

import type { ClientOptions, PluginConfigClient, ProjectClient } from '@plugin-config/client';
import type { ExternalRef, PluginRef } from '@plugin-config/domain';
import { Command, Option } from 'commander';
import { JSON_OPTION, readPlugin, readProject, type Invocation, type JsonOption } from './command.ts';
import { explainError, withField, type Locate } from './explain-error.ts';
import { inform, print, printJson, table, type Fields } from './output.ts';

/** How to use the commands that call the API. */
export const API_ENVIRONMENT = `This uses the API instead of the database. Set API_URL to the address of the
service, and API_KEY to an API key.`;

export const PROJECT = [
  '--project <id>',
  'the id of the project, or ext: and its external id',
  readProject,
] as const;

export interface ProjectOptions extends JsonOption {
  readonly project: number | ExternalRef;
}

/** Creates a command that works on a project over the API. */
export function onProject(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption(...PROJECT)
    .option(...JSON_OPTION);
}

export interface OwnerOptions extends JsonOption {
  readonly project?: number | ExternalRef;
  readonly allProjects?: true;
}

/** Creates a command for the items of a project, or of all projects. */
export function onOwner(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option(PROJECT[0], PROJECT[1]).argParser(PROJECT[2]).conflicts('allProjects'))
    .option('--all-projects', 'of all projects, for which the key must not be bound to any')
    .option(...JSON_OPTION)
    .hook('preAction', (command) => {
      const { project, allProjects } = command.opts<OwnerOptions>();
      if (project === undefined && allProjects === undefined)
        command.error(`error: either option '--project <id>' or '--all-projects' is required`);
    });
}

/** The part of the client that is the same for one project and for all. */
type OwnerClient = Pick<PluginConfigClient, Shared> | Pick<ProjectClient, Shared>;

type Shared = 'alerts' | 'incidents' | 'webhooks';

/** Runs `work` on the items of a project, or of all projects, like `callProject`. */
export async function callOwner(
  invocation: Invocation,
  { project, json }: OwnerOptions,
  work: (owner: OwnerClient) => Promise<void>,
): Promise<void> {
  await callService(invocation, { json }, (client) =>
    work(project === undefined ? client : client.project(project)),
  );
}

interface CallOptions extends JsonOption {
  /** Describes an error from the service. Without it, the description names the field. */
  readonly locate?: Locate | undefined;
}

/** Planning thousands of records takes seconds. */
const TIMEOUT_MS = 60_000;

/** Returns a client for the service that the environment names. */
export async function openApi(
  { API_URL: url = '', API_KEY: key = '' }: NodeJS.ProcessEnv,
  options: Pick<ClientOptions, 'retry'> = {},
): Promise<PluginConfigClient> {
  if (url === '' || key === '')
    throw new Error('API_URL and API_KEY are required: the address of the service, and an API key.');
  if (!URL.canParse(url))
    throw new Error('Invalid API_URL: expected an address such as https://plugins.example.com.');
  const { pluginConfigClient } = await import('@plugin-config/client');
  return pluginConfigClient({ url, key, timeoutMs: TIMEOUT_MS, ...options });
}

/** Runs `work` on a project over the API, and explains errors from the service. */
export function callProject(
  invocation: Invocation,
  { project, ...options }: CallOptions & ProjectOptions,
  work: (project: ProjectClient) => Promise<void>,
): Promise<void> {
  return callService(invocation, options, (client) => work(client.project(project)));
}

/** Runs `work` over the API, and explains errors from the service. */
export async function callService(
  { env }: Invocation,
  { json, locate = withField }: CallOptions,
  work: (client: PluginConfigClient) => Promise<void>,
): Promise<void> {
  const api = await openApi(env);
  const { PluginConfigError } = await import('@plugin-config/client');
  try {
    await work(api);
  } catch (error) {
    if (!(error instanceof PluginConfigError)) throw error;
    const { code, detail, attr, errors, changed, conflicts } = error;
    if (json) printJson({ error: { code, detail, attr }, errors, changed, conflicts });
    throw new Error(explainError(error, locate), { cause: error });
  }
}

export const readPluginOrAll = (text: string): PluginRef | 'all' =>
  text === 'all' ? text : readPlugin(text);

/** Returns the plugin of an option, null for "all". */
export function pluginOf(option: PluginRef | 'all' | undefined): PluginRef | null | undefined {
  return option === 'all' ? null : option;
}

/** Prints items from the API as JSON, or as an aligned table. */
export function showItems<T>(
  items: readonly T[],
  { json, fields, none }: JsonOption & { readonly fields: Fields<T>; readonly none: string },
): void {
  if (json) printJson(items);
  else if (items.length === 0) inform(none);
  else print(table(items, fields));
}

/** Prints one item from the API as JSON, or as a table with one row. */
export function showItem<T>(item: T, { json, fields }: JsonOption & { readonly fields: Fields<T> }): void {
  if (json) printJson(item);
  else print(table([item], fields));
}

/** Returns the fields that have a value. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as typeof fields;
}

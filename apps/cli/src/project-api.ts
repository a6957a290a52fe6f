import type { ProjectClient } from '@plugin-config/client';
import { Command } from 'commander';
import { JSON_OPTION, readId, type Invocation, type JsonOption } from './command.ts';
import { explainError, withField, type Locate } from './explain-error.ts';
import { inform, print, printJson, table, type Fields } from './output.ts';

/** How to use the commands that call the API. */
export const API_ENVIRONMENT = `These commands use the API instead of the database. Set API_URL to the address of the
service, and API_KEY to an API key.`;

export const PROJECT = ['--project <id>', 'the id of the project', readId] as const;

export interface ProjectOptions extends JsonOption {
  readonly project: number;
}

/** Creates a command that works on a project over the API. */
export function onProject(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .requiredOption(...PROJECT)
    .option(...JSON_OPTION);
}

interface CallOptions extends ProjectOptions {
  /** Describes an error from the service. Without it, the description names the field. */
  readonly locate?: Locate | undefined;
}

/** Planning thousands of records takes seconds. */
const TIMEOUT_MS = 60_000;

/** Runs `work` on a project over the API, and explains errors from the service. */
export async function callProject(
  { env }: Invocation,
  { project, json, locate = withField }: CallOptions,
  work: (project: ProjectClient) => Promise<void>,
): Promise<void> {
  const { API_URL: url = '', API_KEY: key = '' } = env;
  if (url === '' || key === '')
    throw new Error('API_URL and API_KEY are required: the address of the service, and an API key.');
  if (!URL.canParse(url))
    throw new Error('Invalid API_URL: expected an address such as https://plugins.example.com.');
  const { pluginConfigClient, PluginConfigError } = await import('@plugin-config/client');
  try {
    await work(pluginConfigClient({ url, key, timeoutMs: TIMEOUT_MS }).project(project));
  } catch (error) {
    if (!(error instanceof PluginConfigError)) throw error;
    const { code, detail, attr, errors, changed, conflicts } = error;
    if (json) printJson({ error: { code, detail, attr }, errors, changed, conflicts });
    throw new Error(explainError(error, locate), { cause: error });
  }
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

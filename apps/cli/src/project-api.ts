import type { PluginConfigError, ProjectClient } from '@plugin-config/client';
import { Command } from 'commander';
import { JSON_OPTION, readId, type Invocation, type JsonOption } from './command.ts';
import { inform, print, printJson, table, type Fields } from './output.ts';
import { reason } from './reason.ts';

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
  /** Describes an error from the service. */
  readonly explain?: (error: PluginConfigError) => string;
}

/** Planning thousands of records takes seconds. */
const TIMEOUT_MS = 60_000;

/** Runs `work` on a project over the API, and explains errors from the service. */
export async function callProject(
  { env }: Invocation,
  { project, json, explain = explainError }: CallOptions,
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
    throw new Error(explainUnanswered(error) ?? explain(error), { cause: error });
  }
}

function explainUnanswered(error: PluginConfigError): string | null {
  if (error.code === 'unreachable') return `${error.message} ${reason(causeOf(error))}`;
  return error.code === 'timed_out' || error.code === 'unreadable' ? error.message : null;
}

/** Returns the root cause of a failed request: the error from `fetch` itself says nothing useful. */
function causeOf({ cause }: Error): unknown {
  return cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
}

/** Describes an error, with the name of the field that caused it. */
export function explainError({ attr, detail }: Pick<PluginConfigError, 'attr' | 'detail'>): string {
  return attr === null ? detail : `${attr}: ${detail}`;
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

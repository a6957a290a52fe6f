import type { ClientOptions, PluginConfigClient, ProjectClient } from '@plugin-config/client';
import type { ExternalRef } from '@plugin-config/domain';
import { Command } from 'commander';
import { JSON_OPTION, readProject, type Invocation, type JsonOption } from './command.ts';
import { explainError, withField, type Locate } from './explain-error.ts';
import { printJson } from './output.ts';

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

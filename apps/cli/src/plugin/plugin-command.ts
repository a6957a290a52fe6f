import {
  fieldInfo,
  jobInfo,
  registerPlugin,
  type NewPlugin,
  type Plugin,
  type PluginRef,
  type RecordCounts,
} from '@plugin-config/domain';
import { Command } from 'commander';
import {
  allPages,
  example,
  group,
  JSON_OPTION,
  operatorAuthor,
  readPlugin,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import type { Services } from '../container.ts';
import { withField } from '../explain-error.ts';
import { inputName, readJson } from '../input-file.ts';
import { inform, printList, type Fields } from '../output.ts';

export function pluginCommand(invocation: Invocation): Command {
  return group('plugin', 'Manages registered plugins.', {
    commands: [registerCommand(invocation), listCommand(invocation), removeCommand(invocation)],
    examples: ['plugin register slack.json'],
  });
}

function registerCommand({ env }: Invocation): Command {
  return new Command('register')
    .description('Registers a plugin, or replaces its existing registration.')
    .argument('<file>', 'a JSON file, or - for standard input')
    .addHelpText('after', FORMAT)
    .addHelpText('after', example('plugin register slack.json'))
    .action(async (file: string) => {
      const plugin = await readPluginFile(file, env);
      await withServices(env, (services) => register(services, plugin));
    });
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists all registered plugins.')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withServices(env, async ({ plugins }) => {
        const all = await allPages((page) => plugins.page(page));
        const onlyJson = ['icon', 'config_schema', 'jobs', 'checks'];
        printList(all, { json, fields: PLUGIN_FILE, onlyJson, none: 'No plugins are registered yet.' });
      }),
    );
}

function removeCommand({ env }: Invocation): Command {
  return new Command('remove')
    .description("Removes a plugin's registration. Its records are kept.")
    .argument('<plugin>', 'the id of the plugin, or slug: and its slug', readPlugin)
    .action((plugin: PluginRef) =>
      withServices(env, async (services) => {
        if (!(await services.plugins.remove(plugin, operatorAuthor(services))))
          throw new Error(`Plugin ${plugin} is not registered.`);
        inform(`Plugin ${plugin} is no longer registered.`);
      }),
    );
}

const PLUGIN_FILE: Fields<Plugin> = {
  id: ({ id }) => id,
  slug: ({ slug }) => slug,
  name: ({ name }) => name,
  description: ({ description }) => description,
  url: ({ url }) => url,
  icon: ({ icon }) => icon,
  config_schema: ({ configSchema }) => configSchema?.map(fieldInfo),
  jobs: ({ jobs }) => jobs?.map(jobInfo),
  checks: ({ checks }) => checks,
};

const FORMAT = `
The file contains one JSON object, as for register_plugin of the API, with the "id" or the "slug":
  {
    "id": 7, "slug": "slack", "name": "Slack", "description": "…", "url": "…", "icon": "…",
    "config_schema": [
      { "key": "token", "type": "string", "required": true, "secret": true },
      { "key": "mode", "type": "choice", "choices": ["all", "errors"], "default": "all" }
    ]
  }
Without an "id", a new slug gets the next one.`;

function invalidText({ total, invalid }: RecordCounts): string {
  if (invalid === null) return `It has ${total} records, too many to count those that its schema rejects.`;
  const records = invalid === 1 ? '1 enabled record' : `${invalid} enabled records`;
  return `Its schema rejects the configuration of ${records}. Such records stay enabled, and are marked as invalid.`;
}

async function readPluginFile(file: string, env: NodeJS.ProcessEnv): Promise<NewPlugin> {
  const { pluginFile, validate } = await import('@plugin-config/contract');
  const { value, error } = validate(pluginFile, await readJson(file, env));
  if (error === undefined) return value;
  throw new Error(`${inputName(file)}: ${withField(error.attr, error.detail)}`, { cause: error });
}

async function register(services: Services, plugin: NewPlugin): Promise<void> {
  await services.masterKeys.require();
  const { id, name, records } = await registerPlugin(services, plugin, operatorAuthor(services));
  inform(`Plugin ${id} (${JSON.stringify(name)}) is registered.`);
  if (records.invalid !== 0) inform(invalidText(records));
}

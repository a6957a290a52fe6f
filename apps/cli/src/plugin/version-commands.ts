import {
  fieldInfo,
  jobInfo,
  PLUGIN_VERSION,
  registerVersion,
  VERSION_STATES,
  type ListedVersion,
  type PluginRef,
  type VersionState,
} from '@plugin-config/domain';
import { Argument, Command, InvalidArgumentError } from 'commander';
import {
  allPages,
  example,
  JSON_OPTION,
  operatorAuthor,
  readPlugin,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { inform, printList, type Fields } from '../output.ts';
import { PLUGIN_ARGUMENT, readFileAs } from './plugin-file.ts';

export function versionCommands(invocation: Invocation): readonly Command[] {
  return [versionsCommand(invocation), registerCommand(invocation), stateCommand(invocation)];
}

const VERSION: Fields<ListedVersion> = {
  version: ({ version }) => version,
  schema_version: ({ schemaVersion }) => schemaVersion,
  state: ({ state }) => state,
  records: ({ records }) => records,
  message: ({ message }) => message,
  upgrade_by: ({ upgradeBy }) => upgradeBy,
  registered_at: ({ registeredAt }) => registeredAt,
  config_schema: ({ configSchema }) => configSchema?.map(fieldInfo),
  jobs: ({ jobs }) => jobs?.map(jobInfo),
  checks: ({ checks }) => checks,
  migrations: ({ migrations }) => migrations,
  examples: ({ examples }) => examples,
};

const ONLY_JSON = ['config_schema', 'jobs', 'checks', 'migrations', 'examples'];

function versionsCommand({ env }: Invocation): Command {
  return new Command('versions')
    .description('Lists the versions of a plugin, the last one first.')
    .argument(...PLUGIN_ARGUMENT, readPlugin)
    .option(...JSON_OPTION)
    .action((plugin: PluginRef, { json }: JsonOption) =>
      withServices(env, async ({ pluginVersions }) => {
        const all = await allPages(
          async (page) => (await pluginVersions.page(plugin, [], page)) ?? notRegistered(plugin),
        );
        printList(all, { json, fields: VERSION, onlyJson: ONLY_JSON, none: 'It has no versions.' });
      }),
    );
}

/** Creates a command about a version of a plugin. */
export function versionCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument(...PLUGIN_ARGUMENT, readPlugin)
    .argument('<version>', 'the version', readVersion);
}

function registerCommand({ env }: Invocation): Command {
  return versionCommand('register-version', 'Registers a version of a plugin, which never changes.')
    .argument('<file>', 'a JSON file, or - for standard input')
    .addHelpText('after', FORMAT)
    .addHelpText('after', example('plugin register-version slug:mailer 2.0.0 mailer-2.json'))
    .action(async (plugin: PluginRef, version: string, file: string) => {
      const body = await readFileAs('versionBody', file, env);
      await withServices(env, async (services) => {
        await services.masterKeys.require();
        const author = operatorAuthor(services);
        const stored = await registerVersion(services, plugin, { version, ...body }, author);
        const { state, schemaVersion } = stored ?? notRegistered(plugin);
        inform(
          `Version ${version} of plugin ${plugin} is registered: ${state}, schema version ${schemaVersion}.`,
        );
      });
    });
}

const FORMAT = `
The file contains one JSON object:
  {
    "schema_version": 2,
    "config_schema": [{ "key": "host", "type": "string" }],
    "migrations": [{ "from": 1, "steps": [{ "rename": { "from": "server", "to": "host" } }] }],
    "examples": [{ "host": "mail.example" }]
  }
Required: "schema_version". It may also have "jobs" and "checks", as the file of "plugin register".`;

interface StateOptions {
  readonly message?: string | undefined;
  readonly upgradeBy?: Date | undefined;
}

function stateCommand({ env }: Invocation): Command {
  return versionCommand(
    'version-state',
    'Changes the state of a version. If it becomes current, no configuration changes.',
  )
    .addArgument(new Argument('<state>', 'its state').choices(VERSION_STATES))
    .option('--message <text>', 'what its users should know, if it is deprecated')
    .option('--upgrade-by <time>', 'when its records should be upgraded, if it is deprecated', readTime)
    .addHelpText(
      'after',
      example(
        'plugin version-state slug:mailer 2.0.0 current',
        'plugin version-state slug:mailer 1.0.0 deprecated --message "Its API ends." --upgrade-by 2027-06-01T00:00:00Z',
      ),
    )
    .action((plugin: PluginRef, version: string, state: VersionState, options: StateOptions) =>
      withServices(env, async (services) => {
        const change = { state, ...options };
        const author = operatorAuthor(services);
        if ((await services.pluginVersions.change(plugin, version, change, author)) === null)
          throw noSuchVersion(plugin, version);
        inform(`Version ${version} of plugin ${plugin} is ${state}.`);
      }),
    );
}

const WHOLE_VERSION = new RegExp(`^${PLUGIN_VERSION}$`);

function readVersion(text: string): string {
  if (WHOLE_VERSION.test(text)) return text;
  throw new InvalidArgumentError(
    'Expected at most 64 of A-Z a-z 0-9 . _ + ~ -, with a letter or digit first.',
  );
}

function readTime(text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Expected a time such as 2027-06-01T00:00:00Z.');
}

export function noSuchVersion(plugin: PluginRef, version: string): Error {
  return new Error(`Plugin ${plugin} has no version ${version}.`);
}

function notRegistered(plugin: PluginRef): never {
  throw new Error(`Plugin ${plugin} is not registered.`);
}

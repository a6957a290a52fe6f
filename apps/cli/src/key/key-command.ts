import {
  isLive,
  issueApiKey,
  keyLabel,
  pluginIdsOf,
  SCOPES,
  type ApiKey,
  type ExternalRef,
  type PluginRef,
  type Scope,
} from '@plugin-config/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  allPages,
  asArgument,
  example,
  group,
  JSON_OPTION,
  operatorAuthor,
  readId,
  readPlugin,
  readProject,
  repeated,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { existingProjectIds } from '../project/project-ids.ts';
import { inform, print, printJson, printList, readFields, type Fields } from '../output.ts';

export function keyCommand(invocation: Invocation): Command {
  return group('key', 'Manages API keys.', {
    commands: [createCommand(invocation), listCommand(invocation), revokeCommand(invocation)],
    examples: ['key create --label "CI" --scope plugin:write'],
  });
}

interface CreateOptions extends JsonOption {
  readonly label: string;
  readonly scope: readonly Scope[];
  readonly project?: readonly (number | ExternalRef)[];
  readonly plugin?: readonly PluginRef[];
  readonly expires?: number;
  readonly account?: number | null;
}

function createCommand({ env }: Invocation): Command {
  return new Command('create')
    .description('Issues a key and prints it. It cannot be shown again: only its hash is stored.')
    .requiredOption('--label <label>', 'the owner or purpose of the key', asArgument(keyLabel))
    .addOption(new Option('--scope <scope...>', 'what the key may do').choices(SCOPES).makeOptionMandatory())
    .option(
      '--project <id...>',
      'a project that the key may access, by its id, or ext: and its external id (default: all)',
      repeated(readProject),
    )
    .option(
      '--plugin <plugin...>',
      'a plugin to whose records the key is limited (default: all)',
      repeated(readPlugin),
    )
    .option('--expires <time>', 'the lifetime, such as 90m, 12h or 30d (default: unlimited)', readLifetime)
    .option(
      '--account <id>',
      'the account that the key joins (default: that of the keys with the same projects, otherwise a new one)',
      readId,
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example(
        'key create --label "CI" --scope plugin:write',
        'key create --label "Shipper" --scope plugin_log:write --project 1 --project 2 --expires 90d',
        'key create --label "Runtime" --scope plugin_runtime --project 1',
        'key create --label "Runtime of project 2" --scope plugin_runtime --project 2 --account 1',
      ),
    )
    .action(({ label, scope, project = [], plugin = [], expires, account = null, json }: CreateOptions) =>
      withServices(env, async (services) => {
        const projectIds = await existingProjectIds(services, project);
        const author = operatorAuthor(services);
        const expiresAt = expires === undefined ? null : new Date(author.at.getTime() + expires);
        const pluginIds = await pluginIdsOf(services, plugin, 'plugin_ids');
        const bound = { projectIds, pluginIds };
        const request = { label, scopes: scope, ...bound, expiresAt, accountId: account };
        const { key, token } = await issueApiKey(services, { request, issuer: null, author });
        if (json) printJson({ ...readFields(key, keyFields(services.clock.now())), key: token });
        else print(token);
        if (scope.includes('plugin_runtime') && project.length === 0)
          inform(
            'This key can read the secrets of all projects. A host of all projects needs that; restrict the key of other runtimes with --project.',
          );
      }),
    );
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists all keys, without their tokens.')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withServices(env, async ({ keys, clock }) => {
        const all = await allPages((page) => keys.list(page, null));
        const fields = keyFields(clock.now());
        printList(all, { json, fields, onlyJson: ['revoked_at'], none: 'No keys yet.' });
      }),
    );
}

function revokeCommand({ env }: Invocation): Command {
  return new Command('revoke')
    .description('Revokes a key. Its next request is rejected.')
    .argument('<id>', 'the id that "key list" shows', readId)
    .action((id: number) =>
      withServices(env, async (services) => {
        if (!(await services.keys.revoke(id, null, operatorAuthor(services))))
          throw new Error(`Key ${id} does not exist.`);
        inform(`Key ${id} has been revoked.`);
      }),
    );
}

function keyFields(now: Date): Fields<ApiKey> {
  return {
    id: ({ id }) => id,
    account_id: ({ accountId }) => accountId,
    label: ({ label }) => label,
    scopes: ({ scopes }) => scopes,
    projects: ({ projectIds }) => (projectIds.length === 0 ? 'all' : projectIds),
    plugins: ({ pluginIds }) => (pluginIds.length === 0 ? 'all' : pluginIds),
    created_at: ({ createdAt }) => createdAt,
    last_used_at: ({ lastUsedAt }) => lastUsedAt,
    expires_at: ({ expiresAt }) => expiresAt,
    revoked_at: ({ revokedAt }) => revokedAt,
    state: (key) => (key.revokedAt !== null ? 'revoked' : isLive(key, now) ? 'live' : 'expired'),
  };
}

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const DAYS_MAX = 3650;

/** Parses a lifetime such as `90m`, `12h` or `30d` into milliseconds. */
export function readLifetime(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? ''] ?? NaN);
  if (ms >= MINUTE && ms <= DAYS_MAX * 24 * 60 * MINUTE) return ms;
  throw new InvalidArgumentError(
    `Expected minutes, hours or days from 1m to ${DAYS_MAX}d, such as 90m, 12h or 30d.`,
  );
}

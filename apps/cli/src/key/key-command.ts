import { isLive, issueApiKey, keyLabel, SCOPES, type ApiKey, type Scope } from '@plugin-config/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import { allPages } from '../all-pages.ts';
import type { Invocation } from '../invocation.ts';
import { print, printJson, printList, inform } from '../output.ts';
import { operator } from '../operator.ts';
import type { Services } from '../services.ts';
import type { Columns } from '../table.ts';
import { withServices } from '../with-services.ts';
import { asArgument, example, JSON_OPTION } from '../usage.ts';
import { readId, readIds } from '../whole-number.ts';

export function keyCommand(invocation: Invocation): Command {
  return new Command('key')
    .description('Manages API keys.')
    .addHelpText('after', example('key create --label "CI" --scope plugin:write'))
    .helpCommand(false)
    .addCommand(createCommand(invocation))
    .addCommand(listCommand(invocation))
    .addCommand(revokeCommand(invocation));
}

interface CreateOptions {
  readonly label: string;
  readonly scope: readonly Scope[];
  readonly project?: readonly number[];
  readonly expires?: number;
  readonly json?: true;
}

function createCommand({ env }: Invocation): Command {
  return new Command('create')
    .usage('--label <label> --scope <scope...> [options]')
    .description('Issues a key and prints it. It cannot be shown again: only its hash is stored.')
    .requiredOption('--label <label>', 'the owner or purpose of the key', asArgument(keyLabel))
    .addOption(new Option('--scope <scope...>', 'what the key may do').choices(SCOPES).makeOptionMandatory())
    .option('--project <id...>', 'a project that the key may access (default: all)', readIds)
    .option('--expires <time>', 'the lifetime, such as 90m, 12h or 30d (default: unlimited)', readLifetime)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example(
        'key create --label "CI" --scope plugin:write',
        'key create --label "Shipper" --scope plugin_log:write --project 1 --project 2 --expires 90d',
        'key create --label "Runtime" --scope plugin_runtime --project 1',
      ),
    )
    .action((options: CreateOptions) =>
      withServices(env, async (services) => {
        const { label, scope, project = [], expires = null } = options;
        await checkProjects(services, project);
        const author = operator(services);
        const expiresAt = expires === null ? null : new Date(author.at.getTime() + expires);
        const request = { label, scopes: scope, projectIds: project, expiresAt };
        const { key, token } = await issueApiKey(services, { request, issuer: null, author });
        if (options.json) printJson({ ...presentKey(key, services.clock.now()), key: token });
        else print(token);
        if (scope.includes('plugin_runtime') && project.length === 0)
          inform(
            'This key can read the secrets of all projects. Restrict a key for runtimes to its project with --project.',
          );
      }),
    );
}

async function checkProjects({ projects }: Services, wanted: readonly number[]): Promise<void> {
  for (const projectId of wanted) {
    if ((await projects.find(projectId)) === null) throw new Error(`Project ${projectId} does not exist.`);
  }
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists all keys, without their tokens.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('key list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async ({ keys, clock }) => {
        const now = clock.now();
        printList(await allPages((page) => keys.list(page, null)), {
          json,
          present: (key) => presentKey(key, now),
          columns: keyColumns(now),
          none: 'No keys yet.',
        });
      }),
    );
}

function revokeCommand({ env }: Invocation): Command {
  return new Command('revoke')
    .description('Revokes a key. Its next request is rejected.')
    .argument('<id>', 'the id that "key list" shows', readId)
    .addHelpText('after', example('key revoke 2'))
    .action((id: number) =>
      withServices(env, async (services) => {
        if (!(await services.keys.revoke(id, null, operator(services))))
          throw new Error(`Key ${id} does not exist.`);
        inform(`Key ${id} has been revoked.`);
      }),
    );
}

function presentKey(key: ApiKey, now: Date): object {
  return {
    id: key.id,
    account_id: key.accountId,
    label: key.label,
    scopes: key.scopes,
    projects: key.projectIds,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    state: keyState(key, now),
  };
}

function keyColumns(now: Date): Columns<ApiKey> {
  return {
    ID: ({ id }) => id,
    ACCOUNT: ({ accountId }) => accountId,
    LABEL: ({ label }) => label,
    SCOPES: ({ scopes }) => scopes.join(','),
    PROJECTS: ({ projectIds }) => (projectIds.length === 0 ? 'all' : projectIds.join(',')),
    CREATED: ({ createdAt }) => createdAt,
    'LAST USED': ({ lastUsedAt }) => lastUsedAt,
    EXPIRES: ({ expiresAt }) => expiresAt,
    STATE: (key) => keyState(key, now),
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

function keyState(key: ApiKey, now: Date): 'live' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return isLive(key, now) ? 'live' : 'expired';
}

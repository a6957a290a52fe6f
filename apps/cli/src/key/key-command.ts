import { codePoints, issueApiKey, SCOPES, type Scope } from '@plugin-config/domain';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Invocation } from '../invocation.ts';
import { print, printJson, printList, inform } from '../output.ts';
import type { Services } from '../services.ts';
import { withServices } from '../with-services.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId, readIds } from '../whole-number.ts';
import { keyColumns, presentKey } from './key.presenter.ts';
import { readLifetime } from './read-lifetime.ts';

const LABEL_MAX = 200;

export function keyCommand(invocation: Invocation): Command {
  return new Command('key')
    .description('The personal API keys that clients send.')
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
    .description('Issues a key and prints only the key. It is shown once: only its hash is stored.')
    .requiredOption('--label <label>', 'the owner or purpose of the key', readLabel)
    .addOption(new Option('--scope <scope...>', 'what the key may do').choices(SCOPES).makeOptionMandatory())
    .option('--project <id...>', 'a project that the key may access; by default all', readIds)
    .option('--expires <time>', 'the lifetime, such as 90m, 12h or 30d; by default unlimited', readLifetime)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example(
        'key create --label "CI" --scope plugin:write',
        'key create --label "Shipper" --scope plugin_log:write --project 1 --project 2 --expires 90d',
      ),
    )
    .action((options: CreateOptions) =>
      withServices(env, async (services) => {
        const { label, scope, project = [], expires = null } = options;
        await checkProjects(services, project);
        const request = { label, scopes: [...new Set(scope)], projectIds: project, lifetimeMs: expires };
        const { key, token } = await issueApiKey(services, request);
        if (options.json) printJson({ ...presentKey(key, services.clock.now()), key: token });
        else print(token);
      }),
    );
}

async function checkProjects({ projects }: Services, wanted: readonly number[]): Promise<void> {
  for (const projectId of wanted) {
    if ((await projects.find(projectId)) === null) throw new Error(`There is no project ${projectId}.`);
  }
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the keys without their secrets.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('key list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async ({ keys, clock }) => {
        const now = clock.now();
        printList(await keys.list(), {
          json,
          present: (key) => presentKey(key, now),
          columns: keyColumns(now),
          none: 'There is no key yet.',
        });
      }),
    );
}

function revokeCommand({ env }: Invocation): Command {
  return new Command('revoke')
    .description('Revokes a key. It is refused from the next request on.')
    .argument('<id>', 'the id that "key list" shows', readId)
    .addHelpText('after', example('key revoke 2'))
    .action((id: number) =>
      withServices(env, async ({ keys, clock }) => {
        if (!(await keys.revoke(id, clock.now()))) throw new Error(`There is no key ${id}.`);
        inform(`Key ${id} is revoked.`);
      }),
    );
}

function readLabel(text: string): string {
  const label = text.trim();
  if (label === '') throw new InvalidArgumentError('A key needs a label.');
  if (codePoints(label) > LABEL_MAX)
    throw new InvalidArgumentError(`A label takes at most ${LABEL_MAX} characters.`);
  return label;
}

import {
  erasureState,
  externalIdOf,
  isoDay,
  projectName,
  readUsage,
  type DayOfUsage,
  type Erasure,
  type LogQuota,
  type NewProject,
  type Project,
  type ProjectChange,
} from '@plugin-config/domain';
import { Command } from 'commander';
import {
  allPages,
  asArgument,
  group,
  JSON_OPTION,
  example,
  operatorAuthor,
  readId,
  readProject,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import type { Services } from '../container.ts';
import { inform, print, printJson, printList, readFields, type Fields } from '../output.ts';
import { existingProjectIds } from './project-ids.ts';

const PROJECT: Fields<Project> = {
  id: ({ id }) => id,
  external_id: ({ externalId }) => externalId,
  name: ({ name }) => name,
  created_at: ({ createdAt }) => createdAt,
  entries_per_day: ({ logQuota }) => logQuota.entriesPerDay,
  bytes_per_day: ({ logQuota }) => logQuota.bytesPerDay,
};

const USAGE: Fields<DayOfUsage> = {
  day: ({ day }) => isoDay(day),
  entries: ({ entries }) => entries,
  bytes: ({ bytes }) => bytes,
  over_quota: ({ overQuota }) => overQuota,
};

const ERASURE: Fields<Erasure> = {
  project_id: ({ projectId }) => projectId,
  state: erasureState,
  started_at: ({ startedAt }) => startedAt,
  finished_at: ({ finishedAt }) => finishedAt,
};

export function projectCommand(invocation: Invocation): Command {
  const commands = [
    createCommand,
    listCommand,
    renameCommand,
    quotaCommand,
    usageCommand,
    deleteCommand,
    erasuresCommand,
  ];
  return group('project', 'Manages projects.', {
    commands: commands.map((command) => command(invocation)),
    examples: ['project create --name "Web shop"'],
  });
}

function createCommand({ env }: Invocation): Command {
  return new Command('create')
    .description('Creates a project and prints its id.')
    .requiredOption('--name <name>', 'the name of the project', asArgument(projectName))
    .option('--external-id <id>', 'its id in your product', asArgument(externalIdOf))
    .option(...JSON_OPTION)
    .action(({ name, externalId, json }: JsonOption & NewProject) =>
      withServices(env, async (services) => {
        await services.masterKeys.require();
        const project = await services.projects.create({ name, externalId }, operatorAuthor(services));
        if (json) printJson(readFields(project, PROJECT));
        else print(project.id);
      }),
    );
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists all projects, with the limits of their log quotas.')
    .option('--search <text>', 'only those with this text in their name or external id')
    .option(...JSON_OPTION)
    .action(({ search, json }: JsonOption & { readonly search?: string }) =>
      withServices(env, async ({ projects }) => {
        const all = await allPages((page) => projects.list(page, { ids: [], search: search ?? null }));
        const none =
          search === undefined ? 'No projects yet.' : 'No project has this text in its name or external id.';
        printList(all, { json, fields: PROJECT, none });
      }),
    );
}

const PROJECT_ARGUMENT = ['<project>', 'its id, or ext: and its external id', readProject] as const;

type ProjectRef = ReturnType<typeof readProject>;

/** @throws an error if the project does not exist */
async function idOf(services: Services, ref: ProjectRef): Promise<number> {
  const [id = 0] = await existingProjectIds(services, [ref]);
  return id;
}

function renameCommand({ env }: Invocation): Command {
  return new Command('rename')
    .description('Renames a project.')
    .argument(...PROJECT_ARGUMENT)
    .argument('<name>', 'the new name', asArgument(projectName))
    .action((project: ProjectRef, name: string) =>
      withServices(env, async (services) => {
        const id = await idOf(services, project);
        await change(services, id, { name });
        inform(`Project ${id} is now called ${JSON.stringify(name)}.`);
      }),
    );
}

function quotaCommand({ env }: Invocation): Command {
  return new Command('quota')
    .description(
      "Sets the daily quota of a project's logs. Without a limit, that of LOG_QUOTA_ENTRIES_PER_DAY or LOG_QUOTA_BYTES_PER_DAY applies.",
    )
    .argument(...PROJECT_ARGUMENT)
    .option('--entries-per-day <n>', 'the maximum number of entries', readId)
    .option('--bytes-per-day <n>', 'the maximum size of all messages, in bytes', readId)
    .addHelpText('after', example('project quota 1 --entries-per-day 1000000', 'project quota 1'))
    .action((project: ProjectRef, { entriesPerDay = null, bytesPerDay = null }: Partial<LogQuota>) =>
      withServices(env, async (services) => {
        const id = await idOf(services, project);
        await change(services, id, { logQuota: { entriesPerDay, bytesPerDay } });
        const isDefault = entriesPerDay === null && bytesPerDay === null;
        inform(
          isDefault ? `Project ${id} now has the default quota.` : `The quota of project ${id} has been set.`,
        );
      }),
    );
}

function usageCommand({ env }: Invocation): Command {
  return new Command('usage')
    .description("Lists a project's log usage by day, for today and the previous 30 days.")
    .argument(...PROJECT_ARGUMENT)
    .option(...JSON_OPTION)
    .action((project: ProjectRef, { json }: JsonOption) =>
      withServices(env, async (services) => {
        const id = await idOf(services, project);
        printList(await readUsage(services, id), { json, fields: USAGE, none: '' });
      }),
    );
}

function deleteCommand({ env }: Invocation): Command {
  return new Command('delete')
    .description(
      'Deletes a project and everything in it, which cannot be undone. A worker removes its rows in the background.',
    )
    .argument(...PROJECT_ARGUMENT)
    .requiredOption('--name <name>', 'the current name of the project, as a confirmation')
    .addHelpText('after', example('project delete 3 --name "Web shop"'))
    .action((project: ProjectRef, { name }: { readonly name: string }) =>
      withServices(env, async (services) => {
        const id = await idOf(services, project);
        await services.erasures.start(id, name, operatorAuthor(services));
        inform(
          `Project ${id} has been deleted. "project erasures" shows whether its rows have been removed.`,
        );
      }),
    );
}

function erasuresCommand({ env }: Invocation): Command {
  return new Command('erasures')
    .description('Lists deleted projects, and whether their rows have been removed.')
    .option(...JSON_OPTION)
    .action(({ json }: JsonOption) =>
      withServices(env, async ({ erasures }) => {
        const all = await allPages((page) => erasures.page(page));
        printList(all, { json, fields: ERASURE, none: 'No deleted projects.' });
      }),
    );
}

async function change(services: Services, id: number, changed: ProjectChange): Promise<void> {
  const project = await services.projects.change(id, changed, operatorAuthor(services));
  if (project === null) throw new Error(`Project ${id} does not exist.`);
}

import { externalIdOf, projectName, type NewProject, type Project } from '@plugin-config/domain';
import { Command } from 'commander';
import {
  allPages,
  asArgument,
  group,
  JSON_OPTION,
  example,
  operatorAuthor,
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

export function projectCommand(invocation: Invocation): Command {
  const commands = [createCommand, listCommand, renameCommand, deleteCommand];
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
        if ((await services.projects.change(id, { name }, operatorAuthor(services))) === null)
          throw new Error(`Project ${id} does not exist.`);
        inform(`Project ${id} is now called ${JSON.stringify(name)}.`);
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
          `Project ${id} has been deleted. "api list_erasures" shows whether its rows have been removed.`,
        );
      }),
    );
}

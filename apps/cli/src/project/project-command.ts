import { projectName, type Project } from '@plugin-config/domain';
import { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import type { Invocation } from '../invocation.ts';
import { print, printJson, printList, inform } from '../output.ts';
import { operator } from '../operator.ts';
import { withServices } from '../with-services.ts';
import { asArgument, example, JSON_OPTION } from '../usage.ts';
import { readId } from '../whole-number.ts';

export function projectCommand(invocation: Invocation): Command {
  return new Command('project')
    .description('The projects that own the records.')
    .addHelpText('after', example('project create --name "Web shop"'))
    .helpCommand(false)
    .addCommand(createCommand(invocation))
    .addCommand(listCommand(invocation))
    .addCommand(renameCommand(invocation));
}

function createCommand({ env }: Invocation): Command {
  return new Command('create')
    .usage('--name <name> [options]')
    .description('Creates a project and prints only its id.')
    .requiredOption('--name <name>', 'the name of the project', asArgument(projectName))
    .option(...JSON_OPTION)
    .addHelpText('after', example('project create --name "Web shop"'))
    .action(({ name, json }: { readonly name: string; readonly json?: true }) =>
      withServices(env, async (services) => {
        await services.masterKeys.require();
        const project = await services.projects.create(name, operator(services));
        if (json) printJson(presentProject(project));
        else print(project.id);
      }),
    );
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the projects.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('project list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async ({ projects }) => {
        printList(await allPages((page) => projects.list(page, [])), {
          json,
          present: presentProject,
          columns: COLUMNS,
          none: 'There is no project yet.',
        });
      }),
    );
}

function renameCommand({ env }: Invocation): Command {
  return new Command('rename')
    .description('Renames a project.')
    .argument('<id>', 'the id of the project', readId)
    .argument('<name>', 'the new name', asArgument(projectName))
    .addHelpText('after', example('project rename 1 "Web shop"'))
    .action((id: number, name: string) =>
      withServices(env, async (services) => {
        const project = await services.projects.rename(id, name, operator(services));
        if (project === null) throw new Error(`There is no project ${id}.`);
        inform(`Project ${id} is now called ${JSON.stringify(name)}.`);
      }),
    );
}

const COLUMNS = {
  ID: ({ id }: Project) => id,
  NAME: ({ name }: Project) => name,
  CREATED: ({ createdAt }: Project) => createdAt,
};

function presentProject({ id, name, createdAt }: Project): object {
  return { id, name, created_at: createdAt };
}

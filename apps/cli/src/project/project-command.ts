import {
  isLimited,
  isoDay,
  projectName,
  readUsage,
  type DayOfUsage,
  type LogQuota,
  type Project,
} from '@plugin-config/domain';
import { Command } from 'commander';
import { allPages } from '../all-pages.ts';
import type { Invocation } from '../invocation.ts';
import { print, printJson, printList, inform } from '../output.ts';
import { operator } from '../operator.ts';
import { withServices } from '../with-services.ts';
import { asArgument, example, JSON_OPTION } from '../usage.ts';
import { readId, wholeNumber } from '../whole-number.ts';

export function projectCommand(invocation: Invocation): Command {
  return new Command('project')
    .description('Manages projects.')
    .addHelpText('after', example('project create --name "Web shop"'))
    .helpCommand(false)
    .addCommand(createCommand(invocation))
    .addCommand(listCommand(invocation))
    .addCommand(renameCommand(invocation))
    .addCommand(quotaCommand(invocation))
    .addCommand(usageCommand(invocation));
}

function createCommand({ env }: Invocation): Command {
  return new Command('create')
    .usage('--name <name> [options]')
    .description('Creates a project and prints its id.')
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
    .description('Lists all projects.')
    .option(...JSON_OPTION)
    .addHelpText('after', example('project list --json'))
    .action(({ json }: { readonly json?: true }) =>
      withServices(env, async ({ projects }) => {
        printList(await allPages((page) => projects.list(page, [])), {
          json,
          present: presentProject,
          columns: COLUMNS,
          none: 'No projects yet.',
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
        const project = await services.projects.change(id, { name }, operator(services));
        if (project === null) throw new Error(`Project ${id} does not exist.`);
        inform(`Project ${id} is now called ${JSON.stringify(name)}.`);
      }),
    );
}

const LIMIT = wholeNumber(Number.MAX_SAFE_INTEGER);

function quotaCommand({ env }: Invocation): Command {
  return new Command('quota')
    .usage('<id> [options]')
    .description(
      "Sets the daily quota of a project's logs. Limits that are not given fall back to the LOG_QUOTA settings.",
    )
    .argument('<id>', 'the id of the project', readId)
    .option('--entries-per-day <n>', 'the maximum number of entries', LIMIT)
    .option('--bytes-per-day <n>', 'the maximum size of all messages, in bytes', LIMIT)
    .addHelpText('after', example('project quota 1 --entries-per-day 1000000', 'project quota 1'))
    .action((id: number, { entriesPerDay = null, bytesPerDay = null }: Partial<LogQuota>) =>
      withServices(env, async (services) => {
        const logQuota = { entriesPerDay, bytesPerDay };
        const project = await services.projects.change(id, { logQuota }, operator(services));
        if (project === null) throw new Error(`Project ${id} does not exist.`);
        inform(`The quota of project ${id} has been set.`);
      }),
    );
}

function usageCommand({ env }: Invocation): Command {
  return new Command('usage')
    .description("Lists a project's daily log usage, today and on the previous 30 days.")
    .argument('<id>', 'the id of the project', readId)
    .option(...JSON_OPTION)
    .addHelpText('after', example('project usage 1'))
    .action((id: number, { json }: { readonly json?: true }) =>
      withServices(env, async (services) => {
        if ((await services.projects.find(id)) === null) throw new Error(`Project ${id} does not exist.`);
        printList(await readUsage(services, id), {
          json,
          present: presentDay,
          columns: USAGE_COLUMNS,
          none: '',
        });
      }),
    );
}

const USAGE_COLUMNS = {
  DAY: ({ day }: DayOfUsage) => isoDay(day),
  ENTRIES: ({ entries }: DayOfUsage) => entries,
  BYTES: ({ bytes }: DayOfUsage) => bytes,
  'OVER QUOTA': ({ overQuota }: DayOfUsage) => overQuota,
};

function presentDay({ day, entries, bytes, overQuota }: DayOfUsage): object {
  return { day: isoDay(day), entries, bytes, over_quota: overQuota };
}

const COLUMNS = {
  ID: ({ id }: Project) => id,
  NAME: ({ name }: Project) => name,
  CREATED: ({ createdAt }: Project) => createdAt,
};

function presentProject({ id, name, createdAt, logQuota }: Project): object {
  const { entriesPerDay, bytesPerDay } = logQuota;
  const quota = isLimited(logQuota) ? { entries_per_day: entriesPerDay, bytes_per_day: bytesPerDay } : null;
  return { id, name, created_at: createdAt, log_quota: quota };
}

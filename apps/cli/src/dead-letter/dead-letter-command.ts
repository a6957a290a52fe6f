import { ingestReport, retryDeadLetters, type Outcome } from '@plugin-config/domain';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { printList, tell } from '../output.ts';
import { withServices } from '../with-services.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId, readIds, wholeNumber } from '../whole-number.ts';
import {
  DEAD_LETTER_COLUMNS,
  OUTCOME_COLUMNS,
  presentDeadLetter,
  presentOutcome,
} from './dead-letter.presenter.ts';

const NONE = 'There is no dead letter.';
const LIMIT = 100;
const LIMIT_MAX = 10_000;

export function deadLetterCommand(invocation: Invocation): Command {
  return new Command('dead-letter')
    .description('Messages that could not be stored.')
    .helpCommand(false)
    .addHelpText('after', example('dead-letter list'))
    .addCommand(listCommand(invocation))
    .addCommand(retryCommand(invocation))
    .addCommand(dropCommand(invocation));
}

interface ListOptions {
  readonly after: number;
  readonly limit: number;
  readonly json?: true;
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists the dead letters, each with its reason and its text.')
    .option('--limit <n>', 'how many at most', wholeNumber(LIMIT_MAX), LIMIT)
    .option('--after <id>', 'only those after this one', readId, 0)
    .option(...JSON_OPTION)
    .addHelpText('after', example('dead-letter list --limit 20', 'dead-letter list --after 20 --json'))
    .action(({ after, limit, json }: ListOptions) =>
      withServices(env, async ({ letters }) => {
        const found = await letters.list({ after, limit });
        printList(found, {
          json,
          present: presentDeadLetter,
          columns: DEAD_LETTER_COLUMNS,
          none: NONE,
        });
        const all = await letters.count();
        if (found.length === limit && all > limit) tell(`${limit} of ${all} dead letters.`);
      }),
    );
}

function retryCommand({ env }: Invocation): Command {
  return new Command('retry')
    .usage('<id...> | --all')
    .description('Tries to store dead letters again. Those that are stored are gone from here.')
    .argument('[id...]', 'which ones', readIds)
    .option('--all', 'all of them')
    .option(...JSON_OPTION)
    .addHelpText('after', example('dead-letter retry 3 4', 'dead-letter retry --all'))
    .action((given: readonly number[], { all, json }: RetryOptions, command: Command) => {
      const chosen = selection(command, given, all);
      return withServices(env, async (services) => {
        const outcomes = await retryDeadLetters(services, chosen);
        if (outcomes.size > 0 || chosen === 'all') report(outcomes, json);
        checkFound(chosen, outcomes.size);
      });
    });
}

function report(outcomes: ReadonlyMap<number, Outcome>, json: true | undefined): void {
  printList([...outcomes], { json, present: presentOutcome, columns: OUTCOME_COLUMNS, none: NONE });
  if (outcomes.size === 0) return;
  const { stored, duplicates, dead } = ingestReport([...outcomes.values()]);
  const gone = outcomes.size - stored - duplicates - dead;
  tell(`${stored} stored, ${duplicates} stored before, ${dead} dead again, ${gone} gone meanwhile.`);
}

function dropCommand({ env }: Invocation): Command {
  return new Command('drop')
    .usage('<id...> | --all')
    .description('Forgets dead letters for good.')
    .argument('[id...]', 'which ones', readIds)
    .option('--all', 'all of them')
    .addHelpText('after', example('dead-letter drop 3 4', 'dead-letter drop --all'))
    .action((given: readonly number[], { all }: Choice, command: Command) => {
      const chosen = selection(command, given, all);
      return withServices(env, async ({ letters }) => {
        const dropped = await (chosen === 'all' ? letters.dropAll() : letters.drop(chosen));
        if (dropped > 0 || chosen === 'all') tell(`${dropped} dropped.`);
        checkFound(chosen, dropped);
      });
    });
}

interface Choice {
  readonly all?: true;
}

interface RetryOptions extends Choice {
  readonly json?: true;
}

type Selection = readonly number[] | 'all';

function selection(command: Command, given: readonly number[], all = false): Selection {
  if (all === given.length > 0) command.error('error: it takes ids, or --all');
  return all ? 'all' : given;
}

function checkFound(chosen: Selection, found: number): void {
  if (chosen === 'all' || found === chosen.length) return;
  const [first, second] = chosen;
  if (second === undefined) throw new Error(`There is no dead letter ${first}.`);
  throw new Error(`There is no dead letter for ${chosen.length - found} of these ids.`);
}

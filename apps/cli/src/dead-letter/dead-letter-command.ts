import { ingestReport, retryDeadLetters, type RetryOutcome } from '@plugin-config/domain';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { printList, inform } from '../output.ts';
import { withServices } from '../with-services.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId, readIds, wholeNumber } from '../whole-number.ts';
import {
  DEAD_LETTER_COLUMNS,
  OUTCOME_COLUMNS,
  presentDeadLetter,
  presentOutcome,
} from './dead-letter.presenter.ts';

const NONE = 'No dead letters.';
const LIMIT = 100;
const LIMIT_MAX = 10_000;

export function deadLetterCommand(invocation: Invocation): Command {
  return new Command('dead-letter')
    .description('Lists, retries and deletes messages that could not be stored.')
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
    .description('Lists dead letters with their reason and text.')
    .option('--limit <n>', 'the maximum number of dead letters', wholeNumber(LIMIT_MAX), LIMIT)
    .option('--after <id>', 'only dead letters with a greater id', readId, 0)
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
        if (found.length === limit && all > limit) inform(`Showing ${limit} of ${all} dead letters.`);
      }),
    );
}

function retryCommand({ env }: Invocation): Command {
  return new Command('retry')
    .usage('<id...> | --all')
    .description('Tries to store dead letters again, and removes each one that succeeds.')
    .argument('[id...]', 'the ids of the dead letters', readIds)
    .option('--all', 'retry all dead letters')
    .option(...JSON_OPTION)
    .addHelpText('after', example('dead-letter retry 3 4', 'dead-letter retry --all'))
    .action((ids: readonly number[], { all, json }: RetryOptions, command: Command) => {
      const chosen = selection(command, ids, all);
      return withServices(env, async (services) => {
        const outcomes = await retryDeadLetters(services, chosen);
        if (outcomes.size > 0 || chosen === 'all') report(outcomes, json);
        checkFound(chosen, outcomes.size);
      });
    });
}

function report(outcomes: ReadonlyMap<number, RetryOutcome>, json: true | undefined): void {
  printList([...outcomes], { json, present: presentOutcome, columns: OUTCOME_COLUMNS, none: NONE });
  if (outcomes.size === 0) return;
  const { stored, duplicates, dead } = ingestReport([...outcomes.values()]);
  const gone = outcomes.size - stored - duplicates - dead;
  inform(`${stored} stored, ${duplicates} already stored, ${dead} failed again, ${gone} no longer present.`);
}

function dropCommand({ env }: Invocation): Command {
  return new Command('drop')
    .usage('<id...> | --all')
    .description('Deletes dead letters.')
    .argument('[id...]', 'the ids of the dead letters', readIds)
    .option('--all', 'delete all dead letters')
    .addHelpText('after', example('dead-letter drop 3 4', 'dead-letter drop --all'))
    .action((ids: readonly number[], { all }: Choice, command: Command) => {
      const chosen = selection(command, ids, all);
      return withServices(env, async ({ letters }) => {
        const dropped = await (chosen === 'all' ? letters.dropAll() : letters.drop(chosen));
        if (dropped > 0 || chosen === 'all') inform(`${dropped} deleted.`);
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

function selection(command: Command, ids: readonly number[], all = false): Selection {
  if (all === ids.length > 0) command.error('error: specify either ids or --all');
  return all ? 'all' : ids;
}

function checkFound(chosen: Selection, found: number): void {
  if (chosen === 'all' || found === chosen.length) return;
  const [first, second] = chosen;
  if (second === undefined) throw new Error(`Dead letter ${first} does not exist.`);
  throw new Error(`Dead letters not found: ${chosen.length - found}.`);
}

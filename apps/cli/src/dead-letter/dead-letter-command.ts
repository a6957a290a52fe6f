import { ingestReport, retryDeadLetters, type DeadLetter, type RetryOutcome } from '@plugin-config/domain';
import { Command } from 'commander';
import {
  example,
  group,
  JSON_OPTION,
  readId,
  repeated,
  wholeNumber,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { inform, printList, type Fields } from '../output.ts';

const NONE = 'No dead letters.';
const LIMIT = 100;
const LIMIT_MAX = 10_000;

const LETTER: Fields<DeadLetter> = {
  id: ({ id }) => id,
  received_at: ({ receivedAt }) => receivedAt,
  channel: ({ channel }) => channel,
  owner: ({ owner }) => owner,
  reason: ({ reason }) => reason,
  projects: ({ projectIds }) => projectIds,
  stream_time: ({ streamTime }) => streamTime,
  text: ({ text }) => text,
  missing: ({ missing }) => missing,
};

const RETRIED: Fields<readonly [id: number, outcome: RetryOutcome]> = {
  id: ([id]) => id,
  outcome: ([, outcome]) => outcome,
};

export function deadLetterCommand(invocation: Invocation): Command {
  return group('dead-letter', 'Lists, retries and deletes messages that could not be stored.', {
    commands: [listCommand(invocation), retryCommand(invocation), dropCommand(invocation)],
    examples: ['dead-letter list'],
  });
}

function listCommand({ env }: Invocation): Command {
  return new Command('list')
    .description('Lists dead letters with their reason and text.')
    .option('--limit <n>', 'the maximum number of dead letters', wholeNumber(LIMIT_MAX), LIMIT)
    .option('--after <id>', 'only dead letters with a greater id', readId, 0)
    .option(...JSON_OPTION)
    .action(({ after, limit, json }: JsonOption & { readonly after: number; readonly limit: number }) =>
      withServices(env, async ({ deadLetters }) => {
        const found = await deadLetters.list({ after, limit });
        printList(found, {
          json,
          fields: LETTER,
          onlyJson: ['projects', 'stream_time', 'missing'],
          none: NONE,
        });
        const all = await deadLetters.count();
        if (found.length === limit && all > limit) inform(`Showing ${limit} of ${all} dead letters.`);
      }),
    );
}

function retryCommand({ env }: Invocation): Command {
  return selecting('retry', 'Tries to store dead letters again, and removes each one that succeeds.')
    .option(...JSON_OPTION)
    .action((ids: readonly number[], { all, json }: Choice & JsonOption, command: Command) => {
      const chosen = selection(command, ids, all);
      return withServices(env, async (services) => {
        const outcomes = await retryDeadLetters(services, chosen);
        if (outcomes.size > 0 || chosen === 'all')
          printList([...outcomes], { json, fields: RETRIED, none: NONE });
        if (outcomes.size > 0) informOutcomes(outcomes);
        checkFound(chosen, outcomes.size);
      });
    });
}

function informOutcomes(outcomes: ReadonlyMap<number, RetryOutcome>): void {
  const { stored, duplicates, dead } = ingestReport([...outcomes.values()]);
  const gone = outcomes.size - stored - duplicates - dead;
  inform(`${stored} stored, ${duplicates} already stored, ${dead} failed again, ${gone} no longer present.`);
}

function dropCommand({ env }: Invocation): Command {
  return selecting('drop', 'Deletes dead letters.').action(
    (ids: readonly number[], { all }: Choice, command: Command) => {
      const chosen = selection(command, ids, all);
      return withServices(env, async ({ deadLetters }) => {
        const dropped = await (chosen === 'all' ? deadLetters.dropAll() : deadLetters.drop(chosen));
        if (dropped > 0 || chosen === 'all') inform(`${dropped} deleted.`);
        checkFound(chosen, dropped);
      });
    },
  );
}

function selecting(name: string, description: string): Command {
  return new Command(name)
    .usage('<id...> | --all')
    .description(description)
    .argument('[id...]', 'the ids of the dead letters', repeated(readId))
    .option('--all', 'all dead letters')
    .addHelpText('after', example(`dead-letter ${name} 3 4`, `dead-letter ${name} --all`));
}

interface Choice {
  readonly all?: true;
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
  throw new Error(`Not found: ${chosen.length - found} of ${chosen.length} dead letters.`);
}

import type { Adoption, OwnedRecord, Release } from '@plugin-config/client';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { inform, printJson } from '../output.ts';
import { printable } from '../table.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId } from '../whole-number.ts';
import { MANAGER_OPTION, PROJECT_OPTION } from './options.ts';
import { readAdopted, readRecord, readReleased } from './record-argument.ts';
import { recordPath } from './record-columns.ts';
import { withProject } from './with-project.ts';

interface OwnerOptions {
  readonly project: number;
  readonly manager: string;
  readonly json?: true;
}

export function adoptCommand(invocation: Invocation): Command {
  return new Command('adopt')
    .usage('<family/id=key...> --project <id> --manager <name> [options]')
    .description('Makes a manager own records, each under a key. Changes nothing else.')
    .argument('<record...>', 'a record and its key, such as plugin_configs/42=geoip', readAdopted)
    .requiredOption(...PROJECT_OPTION)
    .requiredOption(...MANAGER_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config adopt plugin_configs/42=geoip --project 1 --manager checkout-team'))
    .action((records: Adoption['records'], options: OwnerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { manager } = options;
        tellOwned(await configuration.adopt({ manager, records }), `${manager} owns`, options);
      }),
    );
}

export function releaseCommand(invocation: Invocation): Command {
  return new Command('release')
    .usage('<family/key...> --project <id> --manager <name> [options]')
    .description('Makes a manager own records no more. Changes nothing else.')
    .argument('<key...>', 'a family and a key, such as plugin_configs/geoip', readReleased)
    .requiredOption(...PROJECT_OPTION)
    .requiredOption(...MANAGER_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config release plugin_configs/geoip --project 1 --manager checkout-team'))
    .action((keys: Release['keys'], options: OwnerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { manager } = options;
        tellOwned(await configuration.release({ manager, keys }), `${manager} no longer owns`, options);
      }),
    );
}

function tellOwned(
  records: readonly OwnedRecord[],
  words: string,
  { json }: Pick<OwnerOptions, 'json'>,
): void {
  if (json === true) return printJson(records);
  for (const record of records) inform(`${words} ${recordPath(record)} (${record.key}).`);
}

interface RestoreOptions {
  readonly project: number;
  readonly json?: true;
}

export function restoreCommand(invocation: Invocation): Command {
  return new Command('restore')
    .usage('<family/id> <revision> --project <id> [options]')
    .description(
      'Gives a record the name, the description and the configuration of a revision. Secrets stay.',
    )
    .argument('<record>', 'the record, such as plugin_configs/42', readRecord)
    .argument('<revision>', 'the number of the revision', readId)
    .requiredOption(...PROJECT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config restore plugin_configs/42 3 --project 1'))
    .action((named: ReturnType<typeof readRecord>, revision: number, options: RestoreOptions) =>
      withProject(invocation, options, async ({ pluginConfigs, pipelineTransformationConfigs }) => {
        const family = named.family === 'plugin_configs' ? pluginConfigs : pipelineTransformationConfigs;
        const restored = await family.restoreRevision(named.id, revision);
        if (options.json === true) return printJson(restored);
        inform(`${recordPath(named)} is as revision ${revision} left it.`);
        const missing = restored.missing_secrets.map(printable).join(', ');
        if (missing !== '') inform(`Secrets that it had then and has no more: ${missing}.`);
      }),
    );
}

import type { OwnedRecord } from '@plugin-config/client';
import { InvalidArgumentError, type Command } from 'commander';
import { DIFFERS, example, EXIT_CODE_OPTION, readId, type Invocation } from '../command.ts';
import { EDITED, recordPath } from '../explain-error.ts';
import { inform, print, printable, printJson, table } from '../output.ts';
import { callProject, onProject, type ProjectOptions } from '../project-api.ts';
import { formatYaml } from './document-file.ts';
import { takesTrust, withTrust, type TrustOptions } from './trust-token.ts';

interface ManagerOptions extends ProjectOptions {
  readonly manager: string;
}

function onManager(name: string, description: string): Command {
  return onProject(name, description).requiredOption(
    '--manager <name>',
    'the manager that owns the records, such as a team',
  );
}

export function exportCommand(invocation: Invocation): Command {
  return onManager('export', "Prints a manager's records as a document, with references to secrets.")
    .addHelpText('after', example('config export --project 1 --manager checkout-team > config.yaml'))
    .action((options: ManagerOptions) =>
      callProject(invocation, options, async ({ configuration }) => {
        const { warnings = [], ...document } = await configuration.export({ manager: options.manager });
        for (const { attr, detail } of warnings) inform(`${attr}: ${detail}`);
        if (options.json) printJson(document);
        else print((await formatYaml(document)).replace(/\n$/, ''));
      }),
    );
}

export function driftCommand(invocation: Invocation): Command {
  return takesTrust(
    onManager('drift', 'Lists the records of a manager that were edited after they were last applied.'),
  )
    .option(...EXIT_CODE_OPTION)
    .addHelpText('after', example('config drift --project 1 --manager checkout-team --exit-code'))
    .action(async (options: ManagerOptions & TrustOptions & { readonly exitCode?: true }) =>
      callProject(await withTrust(invocation, options), options, async ({ configuration }) => {
        const edited = await configuration.drift({ manager: options.manager });
        if (options.json) printJson(edited);
        else if (edited.length > 0) print(table(edited, EDITED));
        else inform('No drift.');
        if (options.exitCode && edited.length > 0) invocation.exit(DIFFERS);
      }),
    );
}

export function adoptCommand(invocation: Invocation): Command {
  return onManager(
    'adopt',
    'Makes a manager the owner of existing records, each under a key. Nothing else changes.',
  )
    .argument('<family/id=key...>', 'records and their keys, such as plugin_configs/42=geoip', readAdopted)
    .addHelpText('after', example('config adopt plugin_configs/42=geoip --project 1 --manager checkout-team'))
    .action((records: ReturnType<typeof readAdopted>, { manager, ...options }: ManagerOptions) =>
      callProject(invocation, options, async ({ configuration }) => {
        const owned = await configuration.adopt({ manager, records });
        if (options.json) return printJson(owned);
        for (const record of owned) inform(`${manager} owns ${recordPath(record)} (${record.key}).`);
      }),
    );
}

export function restoreCommand(invocation: Invocation): Command {
  return onProject(
    'restore',
    "Restores a record's name, description and configuration from a revision. Secrets are not restored.",
  )
    .argument('<family/id>', 'the record, such as plugin_configs/42', readRecord)
    .argument('<revision>', 'the number of the revision', readId)
    .addHelpText('after', example('config restore plugin_configs/42 3 --project 1'))
    .action((named: ReturnType<typeof readRecord>, revision: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ pluginConfigs, pipelineTransformationConfigs }) => {
        const family = named.family === 'plugin_configs' ? pluginConfigs : pipelineTransformationConfigs;
        const restored = await family.restoreRevision(named.id, revision);
        if (options.json) return printJson(restored);
        inform(`Restored ${recordPath(named)} to revision ${revision}.`);
        const missing = restored.missing_secrets.map(printable).join(', ');
        if (missing !== '') inform(`The revision had secrets that are no longer stored: ${missing}.`);
      }),
    );
}

function readRecord(text: string) {
  const [family, id = ''] = parts(text, /^(\w+)\/(.+)$/, 'plugin_configs/42');
  return { family, id: readId(id) };
}

function readAdopted(text: string, before: readonly Omit<OwnedRecord, 'manager'>[] = []) {
  const [family, id = '', key = ''] = parts(text, /^(\w+)\/([^=]+)=(.+)$/, 'plugin_configs/42=geoip');
  return [...before, { family, id: readId(id), key }];
}

/** Splits an argument into its parts. The first is a family. */
function parts(text: string, form: RegExp, such: string) {
  const [, family, ...rest] = form.exec(text) ?? [];
  if (family !== 'plugin_configs' && family !== 'pipeline_transformation_configs')
    throw new InvalidArgumentError(
      `Expected an argument such as ${such}. The families are plugin_configs and pipeline_transformation_configs.`,
    );
  return [family, ...rest] as const;
}

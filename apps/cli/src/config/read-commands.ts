import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { inform, print, printJson, printList } from '../output.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { checkDocument, parseInput } from './document-file.ts';
import { DIFFERS, DOCUMENT_ARGUMENT, EXIT_CODE_OPTION, MANAGER_OPTION, PROJECT_OPTION } from './options.ts';
import { EDITED_COLUMNS } from './record-columns.ts';
import { withProject } from './with-project.ts';
import { formatYaml } from './yaml.ts';

interface ManagerOptions {
  readonly project: number;
  readonly manager: string;
  readonly exitCode?: true;
  readonly json?: true;
}

export function exportCommand(invocation: Invocation): Command {
  return new Command('export')
    .usage('--project <id> --manager <name> [options]')
    .description('Prints the records of a manager as a document. Secrets are references.')
    .requiredOption(...PROJECT_OPTION)
    .requiredOption(...MANAGER_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config export --project 1 --manager checkout-team > config.yaml'))
    .action((options: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { warnings = [], ...document } = await configuration.export(options.manager);
        for (const { attr, detail } of warnings) inform(`${attr}: ${detail}`);
        if (options.json === true) return printJson(document);
        print((await formatYaml(document)).replace(/\n$/, ''));
      }),
    );
}

export function validateCommand({ env }: Invocation): Command {
  return new Command('validate')
    .description(
      'Checks a document without the service. Plugins and their schemas are checked by "config plan".',
    )
    .argument(...DOCUMENT_ARGUMENT)
    .addHelpText('after', example('config validate config.yaml'))
    .action(async (file: string) => {
      const { document } = await checkDocument(await parseInput(file, env));
      const { plugin_configs: configs = [], pipeline_transformation_configs: others = [] } = document;
      inform(`${file} is a valid document. Its records: ${configs.length + others.length}.`);
    });
}

export function driftCommand(invocation: Invocation): Command {
  return new Command('drift')
    .usage('--project <id> --manager <name> [options]')
    .description('Lists the records of a manager that were edited since they were applied.')
    .requiredOption(...PROJECT_OPTION)
    .requiredOption(...MANAGER_OPTION)
    .option(...EXIT_CODE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config drift --project 1 --manager checkout-team --exit-code'))
    .action((options: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const edited = await configuration.drift(options.manager);
        printList(edited, {
          json: options.json,
          present: (record) => record,
          columns: EDITED_COLUMNS,
          none: 'Nothing was edited.',
        });
        if (options.exitCode === true && edited.length > 0) invocation.exit(DIFFERS);
      }),
    );
}

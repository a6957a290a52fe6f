import type { Plan } from '@plugin-config/client';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { inform, print, printJson } from '../output.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { checkDocument, parseInput, type Locate } from './document-file.ts';
import { DIFFERS, DOCUMENT_ARGUMENT, EXIT_CODE_OPTION, PROJECT_OPTION, SECRETS_OPTION } from './options.ts';
import { savePlan } from './plan-file.ts';
import { secretValues } from './secret-values.ts';
import { showPlan } from './show-plan.ts';
import { withProject } from './with-project.ts';

interface DiffOptions {
  readonly project: number;
  readonly exitCode?: true;
  readonly json?: true;
}

interface PlanOptions extends DiffOptions {
  readonly output?: string;
  readonly secrets?: string;
}

export function planCommand(invocation: Invocation): Command {
  const { env } = invocation;
  return new Command('plan')
    .usage('<file> --project <id> [options]')
    .description('Shows what a document would change. With --output, saves it for "config apply".')
    .argument(...DOCUMENT_ARGUMENT)
    .requiredOption(...PROJECT_OPTION)
    .option('-o, --output <file>', 'save the plan; it has no secret values')
    .option(...SECRETS_OPTION)
    .option(...EXIT_CODE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config plan config.yaml --project 1 -o plan.json'))
    .action(async (file: string, options: PlanOptions) => {
      const { document, locate } = await checkDocument(await parseInput(file, env));
      const secrets = await secretValues(document, options.secrets, env);
      await withProject(invocation, { ...options, locate }, async ({ configuration }) => {
        const plan = await configuration.plan({ document, secrets });
        report(invocation, { plan, locate }, options);
        const { output, project } = options;
        if (output === undefined) return;
        await savePlan(output, { project, document, plan }, env);
        inform(`Saved as ${output}. Apply it with the same secrets: config apply ${output}`);
      });
    });
}

export function diffCommand(invocation: Invocation): Command {
  return new Command('diff')
    .usage('<file> --project <id> [options]')
    .description('Compares a document with the project, without secrets: the scope plugin:read is enough.')
    .argument(...DOCUMENT_ARGUMENT)
    .requiredOption(...PROJECT_OPTION)
    .option(...EXIT_CODE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', example('config diff config.yaml --project 1 --exit-code'))
    .action(async (file: string, options: DiffOptions) => {
      const { document, locate } = await checkDocument(await parseInput(file, invocation.env));
      await withProject(invocation, { ...options, locate }, async ({ configuration }) =>
        report(invocation, { plan: await configuration.plan({ document }), locate }, options),
      );
    });
}

interface Planned {
  readonly plan: Plan;
  readonly locate: Locate;
}

function report({ exit }: Invocation, { plan, locate }: Planned, { json, exitCode }: DiffOptions): void {
  if (json === true) printJson(plan);
  else print(showPlan(plan, locate));
  if (exitCode === true && plan.changes.length > 0) exit(DIFFERS);
}

import type { Document, Plan, ProjectClient } from '@plugin-config/client';
import type { ExternalRef } from '@plugin-config/domain';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import {
  DIFFERS,
  example,
  EXIT_CODE_OPTION,
  JSON_OPTION,
  wholeNumber,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { callersPath } from '../input-file.ts';
import { inform, print, printJson } from '../output.ts';
import { callProject, onProject, PROJECT, type ProjectOptions } from '../project-api.ts';
import { confirm } from './confirm.ts';
import { checkDocument, parseInput, type DocumentFile } from './document-file.ts';
import { secretValues, type SecretValues } from './secret-values.ts';
import { takesTrust, withTrust, type TrustOptions } from './trust-token.ts';
import { showApplied, showPlan, showSummary } from './show-plan.ts';

const DOCUMENT = ['<file>', 'a YAML or JSON document, or - for standard input'] as const;
const SECRETS = [
  '--secrets <file>',
  'a YAML or JSON file that maps secret names to values, and that only you can read',
] as const;

export function validateCommand({ env }: Invocation): Command {
  return new Command('validate')
    .description('Checks a document offline. Only "config plan" checks its plugins and their schemas.')
    .argument(...DOCUMENT)
    .action(async (file: string) => {
      const { document } = await checkDocument(await parseInput(file, env));
      const { plugin_configs: configs = [], pipeline_transformation_configs: others = [] } = document;
      inform(`${file} is valid. Records: ${configs.length + others.length}.`);
    });
}

/** A plan to apply later. It contains no secrets: applying it needs the same secrets again. */
interface SavedPlan extends Pick<Plan, 'base' | 'summary' | 'changes'> {
  readonly project: number | ExternalRef;
  /** Makes the plan take effect once, however often it is sent. */
  readonly idempotency_key: string;
  readonly document: Document;
}

/** Distinguishes a saved plan from a document. The service checks that it is complete. */
function isSavedPlan(value: unknown): value is SavedPlan {
  const isObject = typeof value === 'object' && value !== null;
  return (
    isObject && ['project', 'base', 'idempotency_key', 'document', 'summary'].every((field) => field in value)
  );
}

interface PlanOptions extends ProjectOptions, TrustOptions {
  readonly output?: string;
  readonly secrets?: string;
  readonly exitCode?: true;
}

export function planCommand(invocation: Invocation): Command {
  const { env, exit } = invocation;
  return takesTrust(
    onProject(
      'plan',
      'Shows what a document would change. With --output, saves the plan for "config apply".',
    ),
  )
    .argument(...DOCUMENT)
    .option('-o, --output <file>', 'save the plan, which contains no secret values')
    .option(...SECRETS)
    .option(...EXIT_CODE_OPTION)
    .addHelpText('after', example('config plan config.yaml --project 1 -o plan.json'))
    .action(async (file: string, { output, exitCode, ...options }: PlanOptions) => {
      const { document, locate } = await checkDocument(await parseInput(file, env));
      const secrets = await secretValues(document, options.secrets, env);
      const admitted = await withTrust(invocation, options);
      await callProject(admitted, { ...options, locate }, async ({ configuration }) => {
        const plan = await configuration.plan({ document, secrets });
        if (options.json) printJson(plan);
        else print(showPlan(plan, locate));
        if (exitCode && plan.changes.length > 0) exit(DIFFERS);
        if (output === undefined) return;
        const { conflicts: _, warnings: __, ...planned } = plan;
        const { project } = options;
        const saved: SavedPlan = { project, ...planned, idempotency_key: randomUUID(), document };
        await writeFile(callersPath(output, env), `${JSON.stringify(saved, null, 2)}\n`);
        inform(`Saved as ${output}. Apply it with the same secrets: config apply ${output}`);
      });
    });
}

interface ApplyOptions extends JsonOption, TrustOptions {
  readonly project?: number | ExternalRef;
  readonly secrets?: string;
  readonly yes?: true;
  readonly maxDeletes?: number;
}

export function applyCommand(invocation: Invocation): Command {
  const { env } = invocation;
  return takesTrust(new Command('apply'))
    .usage('<plan> [options] | <file> --project <id> [options]')
    .description('Applies a saved plan, or a document after confirmation. Makes all changes or none.')
    .argument('<file>', 'a saved plan, or a YAML or JSON document')
    .option(...PROJECT)
    .option(...SECRETS)
    .option('--yes', 'apply a document without confirmation; requires --max-deletes')
    .option('--max-deletes <n>', 'fail if more records would be deleted', wholeNumber(undefined, 0))
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('config apply plan.json', 'config apply config.yaml --project 1 --yes --max-deletes 0'),
    )
    .action(async (file: string, options: ApplyOptions, command: Command) => {
      const input = await parseInput(file, env);
      const saved = isSavedPlan(input.value) ? input.value : null;
      const { project = saved?.project, yes, maxDeletes, json } = options;
      if (project === undefined) command.error('error: applying a document requires --project <id>');
      if (saved === null && yes && maxDeletes === undefined)
        command.error('error: --yes requires --max-deletes <n>');
      if (saved !== null && saved.project !== project)
        throw new Error(`The plan is for project ${saved.project}.`);
      const checked = await checkDocument(
        saved === null ? input : { value: saved.document, positionOf: () => file },
      );
      const { document } = checked;
      const secrets = await secretValues(document, options.secrets, env);
      const locate = saved === null ? checked.locate : undefined;
      const admitted = await withTrust(invocation, options);
      await callProject(admitted, { json, project, locate }, async ({ configuration }) => {
        const plan = saved ?? (await planAndConfirm(configuration, checked, secrets, options));
        const { base, summary } = plan;
        const applied = await configuration.apply(
          { document, secrets, base, max_deletes: maxDeletes ?? summary.delete },
          saved === null ? {} : { idempotencyKey: saved.idempotency_key },
        );
        if (json) return printJson(applied);
        const { headersOf } = await import('@plugin-config/client');
        const isReplayed = headersOf(applied)?.get('idempotent-replayed') === 'true';
        inform(
          isReplayed
            ? `This plan was already applied as ${applied.apply_id}. Nothing has changed.`
            : `Applied as ${applied.apply_id}: ${showApplied(applied.summary)}.`,
        );
      });
    });
}

async function planAndConfirm(
  configuration: ProjectClient['configuration'],
  { document, locate }: DocumentFile,
  secrets: SecretValues,
  { json, yes }: ApplyOptions,
): Promise<Plan> {
  const plan = await configuration.plan({ document, secrets });
  if (!json) print(showPlan(plan, locate));
  if (yes || plan.changes.length === 0) return plan;
  const question = `Apply this plan? ${showSummary(plan.summary)} Type "yes" to confirm:`;
  if (!(await confirm(process, question))) throw new Error('Cancelled. Nothing was applied.');
  return plan;
}

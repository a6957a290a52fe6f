import type { Applied, ApplyRequest, Plan, ProjectConfiguration } from '@plugin-config/client';
import { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import { inform, print, printJson } from '../output.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId } from '../whole-number.ts';
import { confirm } from './confirm.ts';
import { checkDocument, parseInput, type DocumentFile } from './document-file.ts';
import { PROJECT_OPTION, SECRETS_OPTION } from './options.ts';
import { isSavedPlan, type SavedPlan } from './plan-file.ts';
import { secretValues } from './secret-values.ts';
import { showDone, showPlan, showSummary } from './show-plan.ts';
import { withProject } from './with-project.ts';

interface ApplyOptions {
  readonly project?: number;
  readonly secrets?: string;
  readonly yes?: true;
  readonly maxDeletes?: number;
  readonly json?: true;
}

export function applyCommand(invocation: Invocation): Command {
  const { env } = invocation;
  return new Command('apply')
    .usage('<plan> [options] | <file> --project <id> [options]')
    .description('Applies a saved plan, or plans a document, asks, and applies it: wholly or not at all.')
    .argument('<file>', 'a saved plan, or a document as YAML or JSON')
    .option(...PROJECT_OPTION)
    .option(...SECRETS_OPTION)
    .option('--yes', 'apply a document without asking; needs --max-deletes')
    .option('--max-deletes <n>', 'refuse to delete more records', readCount)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('config apply plan.json', 'config apply config.yaml --project 1 --yes --max-deletes 0'),
    )
    .action(async (file: string, options: ApplyOptions, command: Command) => {
      const input = await parseInput(file, env);
      if (isSavedPlan(input.value)) {
        const { document } = await checkDocument({ value: input.value.document, placeOf: () => file });
        return applySaved(invocation, { ...input.value, document }, options);
      }
      const { project, yes, maxDeletes, secrets: secretsFile } = options;
      if (project === undefined) command.error('error: a document needs --project <id>');
      if (yes === true && maxDeletes === undefined) command.error('error: --yes needs --max-deletes <n>');
      const { document, locate } = await checkDocument(input);
      const secrets = await secretValues(document, secretsFile, env);
      await withProject(invocation, { ...options, project, locate }, ({ configuration }) =>
        applyDocument(configuration, { document, secrets, locate }, options),
      );
    });
}

/** Sends what was planned. The service knows the plan by its key: it carries it out once, and repeats its answer. */
async function applySaved(invocation: Invocation, saved: SavedPlan, options: ApplyOptions): Promise<void> {
  const { document, base, digest, summary, idempotency_key: idempotencyKey } = saved;
  const { project = saved.project, maxDeletes = summary.delete } = options;
  if (project !== saved.project) throw new Error(`The plan is for project ${saved.project}.`);
  const secrets = await secretValues(document, options.secrets, invocation.env);
  await withProject(invocation, { ...options, project }, async ({ configuration }) => {
    const request = { document, secrets, base, digest, max_deletes: maxDeletes };
    await apply(configuration, { request, idempotencyKey }, options);
  });
}

async function applyDocument(
  configuration: ProjectConfiguration,
  { document, secrets, locate }: DocumentFile & { readonly secrets: Readonly<Record<string, string>> },
  options: ApplyOptions,
): Promise<void> {
  const plan = await configuration.plan({ document, secrets });
  if (options.json !== true) print(showPlan(plan, locate));
  if (options.yes !== true && plan.changes.length > 0) await requireConsent(plan);
  const { base, digest, summary } = plan;
  const { maxDeletes = summary.delete } = options;
  const request = { document, secrets, base, digest, max_deletes: maxDeletes };
  await apply(configuration, { request }, options);
}

async function requireConsent({ summary }: Plan): Promise<void> {
  const answer = await confirm(process, `Apply this? ${showSummary(summary)} Type yes:`);
  if (answer === null)
    throw new Error('There is no terminal to ask on: give --yes and --max-deletes, or a saved plan.');
  if (!answer) throw new Error('Nothing was applied.');
}

interface Named {
  readonly request: ApplyRequest;
  /** Absent: the call has a key of its own. */
  readonly idempotencyKey?: string;
}

async function apply(
  configuration: ProjectConfiguration,
  { request, ...named }: Named,
  { json }: ApplyOptions,
): Promise<void> {
  const applied = await configuration.apply(request, named);
  if (json === true) return printJson(applied);
  const { apply_id: id, summary } = applied;
  inform(
    (await isReplayed(applied))
      ? `This plan was applied before, as ${id}: nothing changed now.`
      : `Applied as ${id}: ${showDone(summary)}.`,
  );
}

async function isReplayed(applied: Applied): Promise<boolean> {
  const { headersOf } = await import('@plugin-config/client');
  return headersOf(applied)?.get('idempotent-replayed') === 'true';
}

function readCount(text: string): number {
  return text === '0' ? 0 : readId(text);
}

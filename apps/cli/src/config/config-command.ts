import type { Document, OwnedRecord, Plan, PluginConfigError, ProjectClient } from '@plugin-config/client';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError } from 'commander';
import {
  example,
  group,
  JSON_OPTION,
  readId,
  wholeNumber,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { callersPath } from '../input-file.ts';
import { inform, print, printable, printJson, table } from '../output.ts';
import {
  API_ENVIRONMENT,
  callProject,
  explainError,
  onProject,
  PROJECT,
  type ProjectOptions,
} from '../project-api.ts';
import { checkDocument, formatYaml, parseInput, type DocumentFile, type Locate } from './document-file.ts';
import { secretValues, type SecretValues } from './secret-values.ts';
import { CONFLICT, EDITED, recordPath, showApplied, showPlan, showSummary } from './show-plan.ts';

/** The exit code for differences, with `--exit-code`. */
const DIFFERS = 2;

const ENVIRONMENT = `
${API_ENVIRONMENT}
Secrets are read from the variables CONFIG_SECRET_<NAME>, or from the file given with
--secrets.
Exit codes: 0 for success, 1 for an error or wrong usage, 2 for differences (with --exit-code).`;

const DOCUMENT = ['<file>', 'a YAML or JSON document, or - for standard input'] as const;
const SECRETS = [
  '--secrets <file>',
  'a YAML or JSON file that maps secret names to values, and that only you can read',
] as const;
const EXIT_CODE = ['--exit-code', `exit with code ${DIFFERS} if there are differences`] as const;

export function configCommand(invocation: Invocation): Command {
  const commands = [
    exportCommand,
    validateCommand,
    planCommand,
    applyCommand,
    driftCommand,
    adoptCommand,
    releaseCommand,
    restoreCommand,
  ];
  return group('config', 'Manages records declaratively: plan and apply a document, and detect drift.', {
    commands: commands.map((command) => command(invocation)),
    examples: ['config plan config.yaml --project 1 -o plan.json', 'config apply plan.json'],
  }).addHelpText('after', ENVIRONMENT);
}

interface ManagerOptions extends ProjectOptions {
  readonly manager: string;
}

interface PlanOptions extends ProjectOptions {
  readonly output?: string;
  readonly secrets?: string;
  readonly exitCode?: true;
}

interface ApplyOptions extends JsonOption {
  readonly project?: number;
  readonly secrets?: string;
  readonly yes?: true;
  readonly maxDeletes?: number;
}

function onManager(name: string, description: string): Command {
  return onProject(name, description).requiredOption(
    '--manager <name>',
    'the manager that owns the records, such as a team',
  );
}

function exportCommand(invocation: Invocation): Command {
  return onManager('export', "Prints a manager's records as a document, with references to secrets.")
    .addHelpText('after', example('config export --project 1 --manager checkout-team > config.yaml'))
    .action((options: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { warnings = [], ...document } = await configuration.export(options.manager);
        for (const { attr, detail } of warnings) inform(`${attr}: ${detail}`);
        if (options.json) printJson(document);
        else print((await formatYaml(document)).replace(/\n$/, ''));
      }),
    );
}

function validateCommand({ env }: Invocation): Command {
  return new Command('validate')
    .description('Checks a document offline. Only "config plan" checks its plugins and their schemas.')
    .argument(...DOCUMENT)
    .action(async (file: string) => {
      const { document } = await checkDocument(await parseInput(file, env));
      const { plugin_configs: configs = [], pipeline_transformation_configs: others = [] } = document;
      inform(`${file} is valid. Records: ${configs.length + others.length}.`);
    });
}

/** A plan to apply later. It contains no secrets: applying it needs the same ones again. */
interface SavedPlan extends Pick<Plan, 'base' | 'digest' | 'summary' | 'changes'> {
  readonly project: number;
  /** Makes the plan take effect once, however often it is sent. */
  readonly idempotency_key: string;
  readonly document: Document;
}

/** Distinguishes a saved plan from a document. The service checks that it is complete. */
function isSavedPlan(value: unknown): value is SavedPlan {
  const isObject = typeof value === 'object' && value !== null;
  return (
    isObject &&
    ['project', 'digest', 'idempotency_key', 'document', 'summary'].every((field) => field in value)
  );
}

function planCommand(invocation: Invocation): Command {
  const { env, exit } = invocation;
  return onProject(
    'plan',
    'Shows what a document would change. With --output, saves the plan for "config apply".',
  )
    .argument(...DOCUMENT)
    .option('-o, --output <file>', 'save the plan, which contains no secret values')
    .option(...SECRETS)
    .option(...EXIT_CODE)
    .addHelpText('after', example('config plan config.yaml --project 1 -o plan.json'))
    .action(async (file: string, { output, exitCode, ...options }: PlanOptions) => {
      const { document, locate } = await checkDocument(await parseInput(file, env));
      const secrets = await secretValues(document, options.secrets, env);
      await withProject(invocation, { ...options, locate }, async ({ configuration }) => {
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

function applyCommand(invocation: Invocation): Command {
  const { env } = invocation;
  return new Command('apply')
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
      await withProject(invocation, { json, project, locate }, async ({ configuration }) => {
        const plan = saved ?? (await planAndConfirm(configuration, checked, secrets, options));
        const { base, digest, summary } = plan;
        const applied = await configuration.apply(
          { document, secrets, base, digest, max_deletes: maxDeletes ?? summary.delete },
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

interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Prompts for confirmation; only a full `yes` counts. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new Error(
      'Cannot ask for confirmation without a terminal: use --yes and --max-deletes, or apply a saved plan.',
    );
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(`${question} `), closed])).trim() === 'yes';
  } finally {
    lines.close();
  }
}

function driftCommand(invocation: Invocation): Command {
  return onManager('drift', 'Lists the records of a manager that were edited after they were last applied.')
    .option(...EXIT_CODE)
    .addHelpText('after', example('config drift --project 1 --manager checkout-team --exit-code'))
    .action((options: ManagerOptions & Pick<PlanOptions, 'exitCode'>) =>
      withProject(invocation, options, async ({ configuration }) => {
        const edited = await configuration.drift(options.manager);
        if (options.json) printJson(edited);
        else if (edited.length > 0) print(table(edited, EDITED));
        else inform('No drift.');
        if (options.exitCode && edited.length > 0) invocation.exit(DIFFERS);
      }),
    );
}

function adoptCommand(invocation: Invocation): Command {
  return onManager(
    'adopt',
    'Makes a manager the owner of existing records, each under a key. Nothing else changes.',
  )
    .argument('<family/id=key...>', 'records and their keys, such as plugin_configs/42=geoip', readAdopted)
    .addHelpText('after', example('config adopt plugin_configs/42=geoip --project 1 --manager checkout-team'))
    .action((records: ReturnType<typeof readAdopted>, { manager, ...options }: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) =>
        reportOwnership(await configuration.adopt({ manager, records }), `${manager} owns`, options),
      ),
    );
}

function releaseCommand(invocation: Invocation): Command {
  return onManager('release', "Ends a manager's ownership of records. Nothing else changes.")
    .argument('<family/key...>', 'families and keys, such as plugin_configs/geoip', readReleased)
    .addHelpText('after', example('config release plugin_configs/geoip --project 1 --manager checkout-team'))
    .action((keys: ReturnType<typeof readReleased>, { manager, ...options }: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) =>
        reportOwnership(await configuration.release({ manager, keys }), `${manager} no longer owns`, options),
      ),
    );
}

function reportOwnership(records: readonly OwnedRecord[], subject: string, { json }: JsonOption): void {
  if (json) return printJson(records);
  for (const record of records) inform(`${subject} ${recordPath(record)} (${record.key}).`);
}

function restoreCommand(invocation: Invocation): Command {
  return onProject(
    'restore',
    "Restores a record's name, description and configuration from a revision. Secrets are not restored.",
  )
    .argument('<family/id>', 'the record, such as plugin_configs/42', readRecord)
    .argument('<revision>', 'the number of the revision', readId)
    .addHelpText('after', example('config restore plugin_configs/42 3 --project 1'))
    .action((named: ReturnType<typeof readRecord>, revision: number, options: ProjectOptions) =>
      withProject(invocation, options, async ({ pluginConfigs, pipelineTransformationConfigs }) => {
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

function readReleased(text: string, before: readonly Pick<OwnedRecord, 'family' | 'key'>[] = []) {
  const [family, key = ''] = parts(text, /^(\w+)\/(.+)$/, 'plugin_configs/geoip');
  return [...before, { family, key }];
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

interface WithProjectOptions extends ProjectOptions {
  /** Adds the position in the document to an error from the service. */
  readonly locate?: Locate | undefined;
}

function withProject(
  invocation: Invocation,
  { locate = (attr, detail) => explainError({ attr, detail }), ...options }: WithProjectOptions,
  work: (project: ProjectClient) => Promise<void>,
): Promise<void> {
  return callProject(invocation, { ...options, explain: (error) => explain(error, locate) }, work);
}

function explain({ changed, conflicts, errors, attr, detail }: PluginConfigError, locate: Locate): string {
  if (changed.length > 0) inform(table(changed, EDITED));
  if (conflicts.length > 0) inform(table(conflicts, CONFLICT));
  for (const other of errors.slice(1)) inform(locate(other.attr, other.detail));
  return locate(attr, detail);
}

import type { Document, OwnedRecord, Plan, ProjectClient } from '@plugin-config/client';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { callersPath } from '../input-file.ts';
import type { Invocation } from '../invocation.ts';
import { inform, print, printJson, printList } from '../output.ts';
import { printable } from '../table.ts';
import { example, JSON_OPTION } from '../usage.ts';
import { readId } from '../whole-number.ts';
import { confirm } from './confirm.ts';
import { checkDocument, parseInput, type DocumentFile } from './document-file.ts';
import { secretValues } from './secret-values.ts';
import { showApplied, showPlan, showSummary } from './show-plan.ts';
import { EDITED_COLUMNS, recordPath, withProject } from './with-project.ts';
import { formatYaml } from './yaml.ts';

/** The exit code for differences, with `--exit-code`. */
const DIFFERS = 2;

const ENVIRONMENT = `
These commands use the API instead of the database. Set API_URL to the address of the
service, and API_KEY to an API key. Secrets are read from the variables
CONFIG_SECRET_<NAME>, or from the file given with --secrets.
Exit codes: 0 for success, 1 for an error or wrong usage, 2 for differences (with --exit-code).`;

const PROJECT = ['--project <id>', 'the id of the project', readId] as const;
const DOCUMENT = ['<file>', 'a YAML or JSON document, or - for standard input'] as const;
const SECRETS = [
  '--secrets <file>',
  'a YAML or JSON file that maps secret names to values, and that only you can read',
] as const;
const EXIT_CODE = ['--exit-code', `exit with code ${DIFFERS} if there are differences`] as const;

export function configCommand(invocation: Invocation): Command {
  const group = new Command('config')
    .description('Manages records declaratively: plan and apply a document, and detect drift.')
    .addHelpText('after', ENVIRONMENT)
    .addHelpText(
      'after',
      example('config plan config.yaml --project 1 -o plan.json', 'config apply plan.json'),
    )
    .helpCommand(false);
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
  for (const command of commands) group.addCommand(command(invocation));
  return group;
}

interface Options {
  readonly project: number;
  readonly json?: true;
}

interface ManagerOptions extends Options {
  readonly manager: string;
}

interface PlanOptions extends Options {
  readonly output?: string;
  readonly secrets?: string;
  readonly exitCode?: true;
}

interface ApplyOptions extends Partial<Omit<Options, 'json'>>, Pick<Options, 'json'> {
  readonly secrets?: string;
  readonly yes?: true;
  readonly maxDeletes?: number;
}

function onProject(name: string, usage: string, description: string): Command {
  return new Command(name)
    .usage(`${usage}--project <id> [options]`)
    .description(description)
    .requiredOption(...PROJECT)
    .option(...JSON_OPTION);
}

function onManager(name: string, usage: string, description: string): Command {
  return onProject(name, usage, description)
    .usage(`${usage}--project <id> --manager <name> [options]`)
    .requiredOption('--manager <name>', 'the manager that owns the records, such as a team');
}

function exportCommand(invocation: Invocation): Command {
  return onManager('export', '', "Prints a manager's records as a document, with references to secrets.")
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

function validateCommand({ env }: Invocation): Command {
  return new Command('validate')
    .description('Checks a document offline. Only "config plan" checks its plugins and their schemas.')
    .argument(...DOCUMENT)
    .addHelpText('after', example('config validate config.yaml'))
    .action(async (file: string) => {
      const { document } = await checkDocument(await parseInput(file, env));
      const { plugin_configs: configs = [], pipeline_transformation_configs: others = [] } = document;
      inform(`${file} is valid. Records: ${configs.length + others.length}.`);
    });
}

function planCommand(invocation: Invocation): Command {
  const { env, exit } = invocation;
  return onProject(
    'plan',
    '<file> ',
    'Shows what a document would change. With --output, saves the plan for "config apply".',
  )
    .argument(...DOCUMENT)
    .option('-o, --output <file>', 'save the plan, which contains no secret values')
    .option(...SECRETS)
    .option(...EXIT_CODE)
    .addHelpText('after', example('config plan config.yaml --project 1 -o plan.json'))
    .action(async (file: string, { output, secrets: secretsFile, exitCode, ...options }: PlanOptions) => {
      const { document, locate } = await checkDocument(await parseInput(file, env));
      const secrets = await secretValues(document, secretsFile, env);
      await withProject(invocation, { ...options, locate }, async ({ configuration }) => {
        const plan = await configuration.plan({ document, secrets });
        if (options.json === true) printJson(plan);
        else print(showPlan(plan, locate));
        if (exitCode === true && plan.changes.length > 0) exit(DIFFERS);
        if (output === undefined) return;
        const { base, digest, summary, changes } = plan;
        const saved: SavedPlan = {
          project: options.project,
          base,
          digest,
          idempotency_key: randomUUID(),
          summary,
          changes,
          document,
        };
        await writeFile(callersPath(output, env), `${JSON.stringify(saved, null, 2)}\n`);
        inform(`Saved as ${output}. Apply it with the same secrets: config apply ${output}`);
      });
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

function applyCommand(invocation: Invocation): Command {
  const { env } = invocation;
  return new Command('apply')
    .usage('<plan> [options] | <file> --project <id> [options]')
    .description('Applies a saved plan, or a document after confirmation. Makes all changes or none.')
    .argument('<file>', 'a saved plan, or a YAML or JSON document')
    .option(...PROJECT)
    .option(...SECRETS)
    .option('--yes', 'apply a document without confirmation; requires --max-deletes')
    .option('--max-deletes <n>', 'fail if more records would be deleted', (text) =>
      text === '0' ? 0 : readId(text),
    )
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      example('config apply plan.json', 'config apply config.yaml --project 1 --yes --max-deletes 0'),
    )
    .action(async (file: string, options: ApplyOptions, command: Command) => {
      const input = await parseInput(file, env);
      const saved = isSavedPlan(input.value) ? input.value : null;
      const { project = saved?.project, yes, maxDeletes, secrets } = options;
      if (project === undefined) command.error('error: applying a document requires --project <id>');
      if (saved === null && yes === true && maxDeletes === undefined)
        command.error('error: --yes requires --max-deletes <n>');
      if (saved !== null && saved.project !== project)
        throw new Error(`The plan is for project ${saved.project}.`);
      const checked = await checkDocument(
        saved === null ? input : { value: saved.document, positionOf: () => file },
      );
      const values = await secretValues(checked.document, secrets, env);
      const locate = saved === null ? checked.locate : undefined;
      await withProject(invocation, { ...options, project, locate }, async ({ configuration }) => {
        const plan = saved ?? (await planAndConfirm(configuration, checked, values, options));
        await apply(configuration, { plan, document: checked.document, secrets: values }, options);
      });
    });
}

type Configuration = ProjectClient['configuration'];
type Secrets = Readonly<Record<string, string>>;

async function planAndConfirm(
  configuration: Configuration,
  { document, locate }: DocumentFile,
  secrets: Secrets,
  { json, yes }: ApplyOptions,
): Promise<Plan> {
  const plan = await configuration.plan({ document, secrets });
  if (json !== true) print(showPlan(plan, locate));
  if (yes === true || plan.changes.length === 0) return plan;
  const isConfirmed = await confirm(
    process,
    `Apply this plan? ${showSummary(plan.summary)} Type "yes" to confirm:`,
  );
  if (isConfirmed === null)
    throw new Error(
      'There is no terminal for a confirmation: use --yes and --max-deletes, or apply a saved plan.',
    );
  if (!isConfirmed) throw new Error('Cancelled. Nothing was applied.');
  return plan;
}

interface ApplyInput {
  /** With its idempotency key, a saved plan is applied only once. */
  readonly plan: Pick<Plan, 'base' | 'digest' | 'summary'> & Partial<Pick<SavedPlan, 'idempotency_key'>>;
  readonly document: Document;
  readonly secrets: Secrets;
}

async function apply(
  configuration: Configuration,
  { plan, document, secrets }: ApplyInput,
  { json, maxDeletes = plan.summary.delete }: ApplyOptions,
): Promise<void> {
  const { base, digest, idempotency_key: idempotencyKey } = plan;
  const applied = await configuration.apply(
    { document, secrets, base, digest, max_deletes: maxDeletes },
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
  if (json === true) return printJson(applied);
  const { headersOf } = await import('@plugin-config/client');
  const isReplayed = headersOf(applied)?.get('idempotent-replayed') === 'true';
  inform(
    isReplayed
      ? `This plan was already applied as ${applied.apply_id}. Nothing has changed.`
      : `Applied as ${applied.apply_id}: ${showApplied(applied.summary)}.`,
  );
}

function driftCommand(invocation: Invocation): Command {
  return onManager(
    'drift',
    '',
    'Lists the records of a manager that were edited after they were last applied.',
  )
    .option(...EXIT_CODE)
    .addHelpText('after', example('config drift --project 1 --manager checkout-team --exit-code'))
    .action((options: ManagerOptions & Pick<PlanOptions, 'exitCode'>) =>
      withProject(invocation, options, async ({ configuration }) => {
        const edited = await configuration.drift(options.manager);
        printList(edited, {
          json: options.json,
          present: (record) => record,
          columns: EDITED_COLUMNS,
          none: 'No drift.',
        });
        if (options.exitCode === true && edited.length > 0) invocation.exit(DIFFERS);
      }),
    );
}

function adoptCommand(invocation: Invocation): Command {
  return onManager(
    'adopt',
    '<family/id=key...> ',
    'Makes a manager the owner of existing records, each under a key. Nothing else changes.',
  )
    .argument('<record...>', 'a record and its key, such as plugin_configs/42=geoip', repeated(readAdopted))
    .addHelpText('after', example('config adopt plugin_configs/42=geoip --project 1 --manager checkout-team'))
    .action((records: ReturnType<typeof readAdopted>[], options: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { manager } = options;
        reportOwnership(await configuration.adopt({ manager, records }), `${manager} owns`, options);
      }),
    );
}

function releaseCommand(invocation: Invocation): Command {
  return onManager(
    'release',
    '<family/key...> ',
    "Ends a manager's ownership of records. Nothing else changes.",
  )
    .argument('<key...>', 'a family and a key, such as plugin_configs/geoip', repeated(readReleased))
    .addHelpText('after', example('config release plugin_configs/geoip --project 1 --manager checkout-team'))
    .action((keys: ReturnType<typeof readReleased>[], options: ManagerOptions) =>
      withProject(invocation, options, async ({ configuration }) => {
        const { manager } = options;
        reportOwnership(await configuration.release({ manager, keys }), `${manager} no longer owns`, options);
      }),
    );
}

function reportOwnership(
  records: readonly OwnedRecord[],
  subject: string,
  { json }: Pick<Options, 'json'>,
): void {
  if (json === true) return printJson(records);
  for (const record of records) inform(`${subject} ${recordPath(record)} (${record.key}).`);
}

function restoreCommand(invocation: Invocation): Command {
  return onProject(
    'restore',
    '<family/id> <revision> ',
    "Restores a record's name, description and configuration from a revision. Secrets are not restored.",
  )
    .argument('<record>', 'the record, such as plugin_configs/42', readRecord)
    .argument('<revision>', 'the number of the revision', readId)
    .addHelpText('after', example('config restore plugin_configs/42 3 --project 1'))
    .action((named: ReturnType<typeof readRecord>, revision: number, options: Options) =>
      withProject(invocation, options, async ({ pluginConfigs, pipelineTransformationConfigs }) => {
        const family = named.family === 'plugin_configs' ? pluginConfigs : pipelineTransformationConfigs;
        const restored = await family.restoreRevision(named.id, revision);
        if (options.json === true) return printJson(restored);
        inform(`Restored ${recordPath(named)} to revision ${revision}.`);
        const missing = restored.missing_secrets.map(printable).join(', ');
        if (missing !== '') inform(`The revision had secrets that are no longer stored: ${missing}.`);
      }),
    );
}

const RECORD = /^(\w+)\/(.+)$/;
const ADOPTED = /^(\w+)\/([^=]+)=(.+)$/;

function readRecord(text: string) {
  const [family, id = ''] = parts(text, RECORD, 'a family and an id, such as plugin_configs/42');
  return { family, id: readId(id) };
}

function readAdopted(text: string) {
  const [family, id = '', key = ''] = parts(
    text,
    ADOPTED,
    'a record and a key, such as plugin_configs/42=geoip',
  );
  return { family, id: readId(id), key };
}

function readReleased(text: string) {
  const [family, key = ''] = parts(text, RECORD, 'a family and a key, such as plugin_configs/geoip');
  return { family, key };
}

/** Splits an argument into its parts. The first is a family. */
function parts(text: string, form: RegExp, expected: string) {
  const [, family, ...rest] = form.exec(text) ?? [];
  if (family !== 'plugin_configs' && family !== 'pipeline_transformation_configs')
    throw new InvalidArgumentError(
      `Expected ${expected}. The families are plugin_configs and pipeline_transformation_configs.`,
    );
  return [family, ...rest] as const;
}

function repeated<T>(read: (text: string) => T): (text: string, before?: readonly T[]) => readonly T[] {
  return (text, before = []) => [...before, read(text)];
}

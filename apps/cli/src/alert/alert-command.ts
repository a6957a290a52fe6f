import type { Alert, AlertChange, Incident, ProjectIncident } from '@plugin-config/client';
import { ALERT_ACTIONS, FAMILIES, SIGNALS, type PluginRef } from '@plugin-config/domain';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { example, group, readId, wholeNumber, type Invocation } from '../command.ts';
import { inform, print, printJson, type Fields } from '../output.ts';
import {
  API_ENVIRONMENT,
  callOwner,
  given,
  onOwner,
  pluginOf,
  readPluginOrAll,
  showItem,
  showItems,
  type OwnerOptions,
} from '../project-api.ts';

const ALERT: Fields<Alert> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  family: ({ family }) => family,
  record: ({ record }) => record ?? 'all',
  plugin: ({ plugin }) => plugin ?? 'all',
  signal: ({ signal }) => signal,
  threshold: ({ threshold }) => threshold,
  minutes: ({ window_minutes: minutes }) => minutes,
  for: ({ for: { n, m } }) => `${n}/${m}`,
  action: ({ action }) => action,
  state: ({ enabled, broken }) => (broken ? 'broken' : enabled ? 'enabled' : 'disabled'),
};

const INCIDENT: Fields<Incident> = {
  id: ({ id }) => id,
  alert: ({ alert_name: name }) => name,
  family: ({ family }) => family,
  record: ({ record_id: record }) => record,
  signal: ({ signal }) => signal,
  value: ({ value }) => value,
  opened_at: ({ opened_at: at }) => at,
  closed_at: ({ closed_at: at }) => at,
  reason: ({ reason }) => reason,
};

/** An incident; with its project if it is listed for all of them. */
type ShownIncident = Incident & { readonly project?: ProjectIncident['project'] };

const INCIDENT_OF_ALL: Fields<ShownIncident> = {
  project: ({ project }) => project?.external_id ?? project?.id ?? 'several',
  ...INCIDENT,
};

export function alertCommand(invocation: Invocation): Command {
  const commands = [listCommand, createCommand, showCommand, changeCommand, deleteCommand, incidentsCommand];
  return group('alert', 'Manages the alerts of a project or on all projects, and lists their incidents.', {
    commands: commands.map((command) => command(invocation)),
    examples: [
      'alert create --project 1 --name "Deliveries fail" --signal delivery_rate --threshold 0.95 --window 5',
    ],
  }).addHelpText('after', `\n${API_ENVIRONMENT}`);
}

const ID = ['<id>', 'the id of the alert', readId] as const;

function listCommand(invocation: Invocation): Command {
  return onOwner('list', 'Lists the alerts of a project, or those on all projects.').action(
    (options: OwnerOptions) =>
      callOwner(invocation, options, async ({ alerts }) => {
        showItems(await Array.fromAsync(alerts.list()), {
          ...options,
          fields: ALERT,
          none: 'No alerts yet.',
        });
      }),
  );
}

interface RuleOptions {
  readonly name?: string;
  readonly family?: Alert['family'];
  readonly record?: number | 'all';
  readonly plugin?: PluginRef | 'all';
  readonly signal?: Alert['signal'];
  readonly threshold?: number | 'none';
  readonly window?: number;
  readonly minSamples?: number;
  readonly for?: Alert['for'];
  readonly action?: Alert['action'];
  readonly enabled?: boolean;
}

function withRule(command: Command): Command {
  return command
    .option('--name <name>', 'the name of the alert')
    .addOption(
      new Option(
        '--family <family>',
        'the family of the records (default for new alerts: plugin_configs)',
      ).choices(FAMILIES),
    )
    .option('--record <id>', 'the record to watch, or "all" of the family', readRecord)
    .option(
      '--plugin <plugin>',
      'the plugin whose records to watch: its id, slug: and its slug, or "all"',
      readPluginOrAll,
    )
    .addOption(new Option('--signal <signal>', 'what to watch').choices(SIGNALS))
    .option(
      '--threshold <n>',
      'the rate or number of entries at which it fires; "none" removes it',
      readThreshold,
    )
    .option('--window <minutes>', 'how many minutes an evaluation looks back', readId)
    .option('--min-samples <n>', 'ignore the rate of fewer deliveries', wholeNumber(undefined, 0))
    .option('--for <n/m>', 'fire if n of the last m evaluations breach the rule', readRatio)
    .addOption(new Option('--action <action>', '"disable" also disables the record').choices(ALERT_ACTIONS))
    .option('--enabled', 'enable the alert')
    .option('--no-enabled', 'disable the alert');
}

type NewRuleOptions = RuleOptions & Required<Pick<RuleOptions, 'name' | 'signal' | 'window'>>;
const REQUIRED: ReadonlySet<string> = new Set<keyof RuleOptions>(['name', 'signal', 'window']);

function withNewRule(command: Command): Command {
  for (const option of withRule(command).options)
    if (REQUIRED.has(option.attributeName())) option.makeOptionMandatory();
  return command;
}

function createCommand(invocation: Invocation): Command {
  return withNewRule(onOwner('create', 'Creates an alert and prints its id.'))
    .addHelpText(
      'after',
      example(
        'alert create --project 1 --name "Deliveries fail" --signal delivery_rate --threshold 0.95 --window 5',
        'alert create --project 1 --name "Cannot run" --signal runtime --window 5',
        'alert create --all-projects --name "GeoIP fails" --plugin 8 --signal error --window 15',
      ),
    )
    .action((options: OwnerOptions & NewRuleOptions) =>
      callOwner(invocation, options, async ({ alerts }) => {
        const { name, family = 'plugin_configs', signal, window } = options;
        const alert = await alerts.create({
          ...ruleOf(options),
          name,
          family,
          signal,
          window_minutes: window,
        });
        if (options.json) printJson(alert);
        else print(alert.id);
      }),
    );
}

function showCommand(invocation: Invocation): Command {
  return onOwner('show', 'Shows an alert.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ alerts }) =>
        showItem(await alerts.retrieve(id), { ...options, fields: ALERT }),
      ),
    );
}

function changeCommand(invocation: Invocation): Command {
  return withRule(
    onOwner(
      'change',
      'Changes an alert. A change to anything but its name closes its open incidents.',
    ).argument(...ID),
  )
    .addHelpText(
      'after',
      example('alert change 3 --project 1 --threshold 0.9', 'alert change 3 --project 1 --no-enabled'),
    )
    .action((id: number, options: OwnerOptions & RuleOptions) =>
      callOwner(invocation, options, async ({ alerts }) => {
        const alert = await alerts.update(id, ruleOf(options));
        if (options.json) printJson(alert);
        else inform(`Alert ${id} has been changed.`);
      }),
    );
}

function deleteCommand(invocation: Invocation): Command {
  return onOwner('delete', 'Deletes an alert, and closes its open incidents.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ alerts }) => {
        await alerts.delete(id);
        inform(`Alert ${id} has been deleted.`);
      }),
    );
}

const SHOWN = 100;

function incidentsCommand(invocation: Invocation): Command {
  return onOwner('incidents', `Lists the ${SHOWN} newest incidents, open ones first.`)
    .argument('[id]', 'only those of this alert', readId)
    .option('--open', 'only open incidents')
    .action((id: number | undefined, options: OwnerOptions & { readonly open?: true }) =>
      callOwner(invocation, options, async ({ incidents }) => {
        const { count, results } = await incidents({ limit: SHOWN, open: options.open, alert: id }).page();
        const fields = options.allProjects === true ? INCIDENT_OF_ALL : INCIDENT;
        showItems<ShownIncident>(results, { ...options, fields, none: 'No incidents.' });
        if (count > SHOWN) inform(`Showing ${SHOWN} of ${count} incidents.`);
      }),
    );
}

/** Returns the given fields of a rule, by their names in the API. */
function ruleOf({ record, plugin, threshold, window, minSamples, ...options }: RuleOptions): AlertChange {
  const { name, family, signal, action, enabled } = options;
  return given({
    name,
    family,
    record: record === 'all' ? null : record,
    plugin: pluginOf(plugin),
    signal,
    threshold: threshold === 'none' ? null : threshold,
    window_minutes: window,
    min_samples: minSamples,
    for: options.for,
    action,
    enabled,
  });
}

function readRecord(text: string): number | 'all' {
  return text === 'all' ? text : readId(text);
}

function readThreshold(text: string): number | 'none' {
  if (text === 'none') return text;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number such as 0.95, or "none".');
}

function readRatio(text: string): Alert['for'] {
  const [, n, m] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? [];
  if (m === undefined) throw new InvalidArgumentError('Expected two numbers such as 2/3.');
  return { n: Number(n), m: Number(m) };
}

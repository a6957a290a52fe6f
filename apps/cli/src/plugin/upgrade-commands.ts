import { setTimeout as sleep } from 'node:timers/promises';
import {
  planUpgrade,
  UPGRADE_STATUSES,
  type PlannedUpgrade,
  type PluginRef,
  type PluginUpgrade,
  type PluginUpgradeStore,
} from '@plugin-config/domain';
import type { Command } from 'commander';
import {
  example,
  JSON_OPTION,
  operatorAuthor,
  withServices,
  type Invocation,
  type JsonOption,
} from '../command.ts';
import { inform, printJson, printList, readFields, type Fields } from '../output.ts';
import { noSuchVersion, versionCommand } from './version-commands.ts';

export function upgradeCommands(invocation: Invocation): readonly Command[] {
  return [planCommand(invocation), upgradeCommand(invocation)];
}

const PLANNED: Fields<PlannedUpgrade> = {
  project: ({ project }) => project.externalId ?? project.id,
  family: ({ family }) => family,
  id: ({ id }) => id,
  name: ({ name }) => name,
  schema_version: ({ schemaVersion }) => schemaVersion,
  plugin_version: ({ pluginVersion }) => pluginVersion,
  status: ({ status }) => status,
  lacks: ({ lacks }) => lacks.map(({ attr, detail }) => (attr === null ? detail : `${attr}: ${detail}`)),
  lost: ({ lost }) => lost,
  runtimes: ({ runtimes }) => runtimes,
};

function planCommand({ env }: Invocation): Command {
  return versionCommand(
    'plan-upgrade',
    'Shows what an upgrade of all records of a plugin would do, without their values.',
  )
    .option(...JSON_OPTION)
    .addHelpText('after', example('plugin plan-upgrade slug:mailer 2.0.0'))
    .action((plugin: PluginRef, version: string, { json }: JsonOption) =>
      withServices(env, async (services) => {
        const plan = await planUpgrade(services, { plugin, version, at: services.clock.now() });
        const { records, total, judged } = plan;
        const counts = UPGRADE_STATUSES.map((status) => [status, plan[status]] as const);
        if (json === true) {
          const shown = records.map((record) => readFields(record, PLANNED));
          printJson({ total, judged, ...Object.fromEntries(counts), records: shown });
          return;
        }
        const texts = counts.map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`);
        inform(`${total} records, of which ${judged} are judged: ${texts.join(', ')}.`);
        printList(records, { json, fields: PLANNED, none: 'Nothing needs attention.' });
      }),
    );
}

const UPGRADE: Fields<PluginUpgrade> = {
  version: ({ version }) => version,
  state: ({ state }) => state,
  total: ({ progress }) => progress.total,
  done: ({ progress }) => progress.done,
  upgraded: ({ progress }) => progress.upgraded,
  needs_input: ({ progress }) => progress.needsInput,
  unsupported: ({ progress }) => progress.unsupported,
  pinned: ({ progress }) => progress.pinned,
};

interface UpgradeOptions extends JsonOption {
  readonly force?: boolean | undefined;
  readonly wait?: true | undefined;
}

const POLL_MS = 500;

function upgradeCommand({ env }: Invocation): Command {
  return versionCommand('upgrade', 'Upgrades all records of a plugin to a version. The worker does the work.')
    .option('--force', 'upgrade records even if one of their runtimes does not know the new schema')
    .option('--wait', 'wait until it has ended')
    .option(...JSON_OPTION)
    .addHelpText('after', example('plugin upgrade slug:mailer 2.0.0 --wait'))
    .action((plugin: PluginRef, version: string, { force = false, wait, json }: UpgradeOptions) =>
      withServices(env, async (services) => {
        const { upgrades } = services;
        const started = await upgrades.start(plugin, version, { force }, operatorAuthor(services));
        const upgrade = wait === true ? await ended(upgrades, plugin, version) : started;
        if (upgrade === null) throw noSuchVersion(plugin, version);
        printList([upgrade], { json, fields: UPGRADE, none: '' });
      }),
    );
}

/** Returns the last upgrade once it has ended. */
async function ended(
  upgrades: PluginUpgradeStore,
  plugin: PluginRef,
  version: string,
): Promise<PluginUpgrade | null> {
  for (;;) {
    const upgrade = await upgrades.find(plugin, version);
    if (upgrade?.state !== 'running') return upgrade;
    await sleep(POLL_MS);
  }
}

import type { Webhook, WebhookDelivery, WebhookEvent, WebhookWithSecret } from '@plugin-config/client';
import { WEBHOOK_EVENTS, type PluginRef } from '@plugin-config/domain';
import { Option, type Command } from 'commander';
import { example, group, readId, type Invocation } from '../command.ts';
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

const WEBHOOK: Fields<Webhook> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  events: ({ events }) => events,
  plugin: ({ plugin }) => plugin ?? 'all',
  state: ({ enabled, disabled_reason: reason }) => (enabled ? 'enabled' : (reason ?? 'disabled')),
  last_delivered_at: ({ last_delivered_at: at }) => at,
};

const DELIVERY: Fields<WebhookDelivery> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  state: ({ state }) => state,
  attempts: ({ attempts }) => attempts,
  created_at: ({ created_at: at }) => at,
  next_attempt_at: ({ next_attempt_at: at }) => at,
  status: ({ status }) => status,
  error: ({ error }) => error,
};

export function webhookCommand(invocation: Invocation): Command {
  const commands = [
    listCommand,
    createCommand,
    showCommand,
    changeCommand,
    deleteCommand,
    rotateCommand,
    testCommand,
    deliveriesCommand,
    resendCommand,
    recoverCommand,
  ];
  return group(
    'webhook',
    'Manages the webhooks of a project or of all projects, and lists their deliveries.',
    {
      commands: commands.map((command) => command(invocation)),
      examples: ['webhook create --project 1 --url https://example.com/hook --event incident.opened'],
    },
  ).addHelpText('after', `\n${API_ENVIRONMENT}`);
}

const ID = ['<id>', 'the id of the webhook', readId] as const;

function listCommand(invocation: Invocation): Command {
  return onOwner('list', 'Lists the webhooks of a project, or those for all projects.').action(
    (options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const all = await Array.fromAsync(webhooks.list());
        showItems(all, { ...options, fields: WEBHOOK, none: 'No webhooks yet.' });
      }),
  );
}

interface Settings {
  readonly url?: string;
  readonly event?: readonly WebhookEvent[];
  readonly plugin?: PluginRef | 'all';
  readonly enabled?: boolean;
}

type NewSettings = Pick<Settings, 'plugin'> & Required<Pick<Settings, 'url' | 'event'>>;

const URL_OPTION = ['--url <url>', 'the address that receives the events'] as const;
const PLUGIN_OPTION = [
  '--plugin <plugin>',
  'only events about records of this plugin, or "all" (default for new webhooks)',
  readPluginOrAll,
] as const;
const eventOption = (): Option =>
  new Option('--event <event...>', 'the events to send').choices(WEBHOOK_EVENTS);

function createCommand(invocation: Invocation): Command {
  return onOwner('create', 'Creates a webhook and prints its secret, which cannot be shown again.')
    .requiredOption(...URL_OPTION)
    .addOption(eventOption().makeOptionMandatory())
    .option(...PLUGIN_OPTION)
    .addHelpText(
      'after',
      example(
        'webhook create --project 1 --url https://example.com/hook --event incident.opened --event incident.closed',
        'webhook create --all-projects --url https://example.com/hook --event incident.opened --plugin 8',
      ),
    )
    .action(({ url, event, plugin, ...options }: OwnerOptions & NewSettings) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const webhook = await webhooks.create({ url, events: event, plugin: pluginOf(plugin) ?? null });
        showSecret(webhook, options);
        inform(`Webhook ${webhook.id} has been created. Its secret cannot be shown again.`);
      }),
    );
}

function showSecret(webhook: WebhookWithSecret, { json }: OwnerOptions): void {
  if (json) printJson(webhook);
  else print(webhook.secret);
}

function showCommand(invocation: Invocation): Command {
  return onOwner('show', 'Shows a webhook, without its secret.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) =>
        showItem(await webhooks.retrieve(id), { ...options, fields: WEBHOOK }),
      ),
    );
}

function changeCommand(invocation: Invocation): Command {
  return onOwner('change', 'Changes, enables or disables a webhook.')
    .argument(...ID)
    .option(...URL_OPTION)
    .addOption(eventOption())
    .option(...PLUGIN_OPTION)
    .option('--enabled', 'enable the webhook')
    .option('--no-enabled', 'disable the webhook; its deliveries wait')
    .addHelpText('after', example('webhook change 2 --project 1 --no-enabled'))
    .action((id: number, { url, event, plugin, enabled, ...options }: OwnerOptions & Settings) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const change = given({ url, events: event, plugin: pluginOf(plugin), enabled });
        const webhook = await webhooks.update(id, change);
        if (options.json) printJson(webhook);
        else inform(`Webhook ${id} has been changed.`);
      }),
    );
}

function deleteCommand(invocation: Invocation): Command {
  return onOwner('delete', 'Deletes a webhook and its deliveries.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        await webhooks.delete(id);
        inform(`Webhook ${id} has been deleted.`);
      }),
    );
}

function rotateCommand(invocation: Invocation): Command {
  return onOwner('rotate', 'Replaces the secret of a webhook and prints the new one.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        showSecret(await webhooks.rotate(id), options);
        inform('Deliveries are also signed with the old secret for 24 hours.');
      }),
    );
}

function testCommand(invocation: Invocation): Command {
  return onOwner('test', 'Sends a delivery of the type webhook.test, and prints its id.')
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const delivery = await webhooks.test(id);
        if (options.json) printJson(delivery);
        else print(delivery.id);
        inform(`To see the outcome, run "webhook deliveries ${id}".`);
      }),
    );
}

const SHOWN = 100;

function deliveriesCommand(invocation: Invocation): Command {
  return onOwner('deliveries', `Lists the ${SHOWN} newest deliveries of a webhook.`)
    .argument(...ID)
    .action((id: number, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const { count, results } = await webhooks.deliveries(id, { limit: SHOWN }).page();
        showItems(results, { ...options, fields: DELIVERY, none: 'No deliveries.' });
        if (count > SHOWN) inform(`Showing ${SHOWN} of ${count} deliveries.`);
      }),
    );
}

function resendCommand(invocation: Invocation): Command {
  return onOwner('resend', 'Sends a delivery again, with the same id and payload.')
    .argument(...ID)
    .argument('<delivery>', 'the id that "webhook deliveries" shows')
    .action((id: number, delivery: string, options: OwnerOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const queued = await webhooks.resend(id, delivery);
        if (options.json) printJson(queued);
        else inform(`Delivery ${delivery} has been queued again.`);
      }),
    );
}

interface RecoverOptions extends OwnerOptions {
  readonly since: string;
  readonly until: string;
}

function recoverCommand(invocation: Invocation): Command {
  return onOwner('recover', 'Sends the failed deliveries again that were created in a time.')
    .argument(...ID)
    .requiredOption('--since <time>', 'the earliest time, such as 2026-03-01T09:30:00Z')
    .requiredOption('--until <time>', 'the time just after the last delivery')
    .action((id: number, { since, until, ...options }: RecoverOptions) =>
      callOwner(invocation, options, async ({ webhooks }) => {
        const recovered = await webhooks.recover(id, { since, until });
        if (options.json) printJson(recovered);
        else inform(`${recovered.queued} deliveries have been queued again.`);
      }),
    );
}

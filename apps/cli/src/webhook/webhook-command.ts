import type { Webhook, WebhookDelivery, WebhookEvent, WebhookWithSecret } from '@plugin-config/client';
import { WEBHOOK_EVENTS } from '@plugin-config/domain';
import { Option, type Command } from 'commander';
import { example, group, readId, type Invocation } from '../command.ts';
import { inform, print, printJson, type Fields } from '../output.ts';
import {
  API_ENVIRONMENT,
  callProject,
  given,
  onProject,
  showItem,
  showItems,
  type ProjectOptions,
} from '../project-api.ts';

const WEBHOOK: Fields<Webhook> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  events: ({ events }) => events,
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
  ];
  return group('webhook', 'Manages the webhooks of a project, and lists their deliveries.', {
    commands: commands.map((command) => command(invocation)),
    examples: ['webhook create --project 1 --url https://example.com/hook --event incident.opened'],
  }).addHelpText('after', `\n${API_ENVIRONMENT}`);
}

const ID = ['<id>', 'the id of the webhook', readId] as const;

function listCommand(invocation: Invocation): Command {
  return onProject('list', 'Lists the webhooks of a project.').action((options: ProjectOptions) =>
    callProject(invocation, options, async ({ webhooks }) => {
      const all = await Array.fromAsync(webhooks.list());
      showItems(all, { ...options, fields: WEBHOOK, none: 'No webhooks yet.' });
    }),
  );
}

interface Settings {
  readonly url?: string;
  readonly event?: readonly WebhookEvent[];
  readonly enabled?: boolean;
}

const URL_OPTION = ['--url <url>', 'the address that receives the events'] as const;
const eventOption = (): Option =>
  new Option('--event <event...>', 'the events to send').choices(WEBHOOK_EVENTS);

function createCommand(invocation: Invocation): Command {
  return onProject('create', 'Creates a webhook and prints its secret, which cannot be shown again.')
    .requiredOption(...URL_OPTION)
    .addOption(eventOption().makeOptionMandatory())
    .addHelpText(
      'after',
      example(
        'webhook create --project 1 --url https://example.com/hook --event incident.opened --event incident.closed',
      ),
    )
    .action(({ url, event, ...options }: ProjectOptions & Required<Omit<Settings, 'enabled'>>) =>
      callProject(invocation, options, async ({ webhooks }) => {
        const webhook = await webhooks.create({ url, events: event });
        showSecret(webhook, options);
        inform(`Webhook ${webhook.id} has been created. Its secret cannot be shown again.`);
      }),
    );
}

function showSecret(webhook: WebhookWithSecret, { json }: ProjectOptions): void {
  if (json) printJson(webhook);
  else print(webhook.secret);
}

function showCommand(invocation: Invocation): Command {
  return onProject('show', 'Shows a webhook, without its secret.')
    .argument(...ID)
    .action((id: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) =>
        showItem(await webhooks.retrieve(id), { ...options, fields: WEBHOOK }),
      ),
    );
}

function changeCommand(invocation: Invocation): Command {
  return onProject('change', 'Changes, enables or disables a webhook.')
    .argument(...ID)
    .option(...URL_OPTION)
    .addOption(eventOption())
    .option('--enabled', 'enable the webhook')
    .option('--no-enabled', 'disable the webhook; its deliveries wait')
    .addHelpText('after', example('webhook change 2 --project 1 --no-enabled'))
    .action((id: number, { url, event, enabled, ...options }: ProjectOptions & Settings) =>
      callProject(invocation, options, async ({ webhooks }) => {
        const webhook = await webhooks.update(id, given({ url, events: event, enabled }));
        if (options.json) printJson(webhook);
        else inform(`Webhook ${id} has been changed.`);
      }),
    );
}

function deleteCommand(invocation: Invocation): Command {
  return onProject('delete', 'Deletes a webhook and its deliveries.')
    .argument(...ID)
    .action((id: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) => {
        await webhooks.delete(id);
        inform(`Webhook ${id} has been deleted.`);
      }),
    );
}

function rotateCommand(invocation: Invocation): Command {
  return onProject('rotate', 'Replaces the secret of a webhook and prints the new one.')
    .argument(...ID)
    .action((id: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) => {
        showSecret(await webhooks.rotate(id), options);
        inform('Deliveries are also signed with the old secret for 24 hours.');
      }),
    );
}

function testCommand(invocation: Invocation): Command {
  return onProject('test', 'Sends a delivery of the type webhook.test, and prints its id.')
    .argument(...ID)
    .action((id: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) => {
        const delivery = await webhooks.test(id);
        if (options.json) printJson(delivery);
        else print(delivery.id);
        inform(`To see the outcome, run "webhook deliveries ${id} --project ${options.project}".`);
      }),
    );
}

const SHOWN = 100;

function deliveriesCommand(invocation: Invocation): Command {
  return onProject('deliveries', `Lists the ${SHOWN} newest deliveries of a webhook.`)
    .argument(...ID)
    .action((id: number, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) => {
        const { count, results } = await webhooks.deliveries(id, { limit: SHOWN }).page();
        showItems(results, { ...options, fields: DELIVERY, none: 'No deliveries.' });
        if (count > SHOWN) inform(`Showing ${SHOWN} of ${count} deliveries.`);
      }),
    );
}

function resendCommand(invocation: Invocation): Command {
  return onProject('resend', 'Sends a delivery again, with the same id and payload.')
    .argument(...ID)
    .argument('<delivery>', 'the id that "webhook deliveries" shows')
    .action((id: number, delivery: string, options: ProjectOptions) =>
      callProject(invocation, options, async ({ webhooks }) => {
        const queued = await webhooks.resend(id, delivery);
        if (options.json) printJson(queued);
        else inform(`Delivery ${delivery} has been queued again.`);
      }),
    );
}

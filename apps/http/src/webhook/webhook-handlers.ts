import {
  presenter,
  recoveredDeliveries,
  webhook,
  webhookDelivery,
  webhookWithSecret,
  type webhookEndpoints,
} from '@plugin-config/contract';
import {
  changeWebhook,
  checkWebhook,
  filteredPluginId,
  notFound,
  pluginIdOf,
  type Dispatch,
  type SignedWebhook,
  type Webhook,
} from '@plugin-config/domain';
import { accessOf, sendJson, sendNothing } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Handlers } from '../endpoints/handler.ts';
import { pathId, pathUuid } from '../requests/path-id.ts';
import { itemAddress, itemResponse, sendChangedItem } from '../responses/item-response.ts';
import { sendPage } from '../responses/page-links.ts';
import { sendResponse } from '../responses/send-response.ts';
import type { Services } from '../services.ts';

/** The handlers for webhooks and their dispatches, which the API calls deliveries. */
export function webhookHandlers({
  webhooks,
  dispatches,
  plugins,
  addressRules,
  baseUrl,
}: Services): Handlers<typeof webhookEndpoints> {
  const existing = async (request: FastifyRequest): Promise<Webhook> => {
    const found = await webhooks.find(accessOf(request).projectId, pathId(request, 'webhook_id'));
    if (found === null) throw notFound();
    return found;
  };

  return {
    listWebhooks: async ({ request, reply, query: { plugin: ref, ...page } }) => {
      const plugin = await filteredPluginId({ plugins }, ref);
      const found = await webhooks.page(accessOf(request).projectId, plugin, page);
      await sendPage({ reply, baseUrl, page }, found, presentWebhook);
    },

    createWebhook: async ({ request, reply, body, author }) => {
      const { projectId } = accessOf(request);
      const settings = { ...body, plugin: body.plugin && (await pluginIdOf({ plugins }, body.plugin)) };
      checkWebhook(settings, addressRules);
      const created = await webhooks.create(projectId, settings, author);
      const location = itemAddress(baseUrl, request, `webhooks/${created.webhook.id}`);
      sendChangedItem(reply.code(201).header('location', location), 'webhook', presentSigned(created));
    },

    retrieveWebhook: async ({ request, reply }) => {
      const body = presentWebhook(await existing(request));
      sendResponse(request, reply, itemResponse(request, 'webhook', body));
    },

    updateWebhook: async ({ request, reply, body: { plugin: ref, ...body }, precondition, author }) => {
      const { projectId } = accessOf(request);
      const plugin = ref && (await pluginIdOf({ plugins }, ref));
      const change = { ...body, ...(plugin !== undefined && { plugin }) };
      const decide = (current: Webhook) => changeWebhook(current, change, addressRules);
      const changed = await webhooks.change(
        projectId,
        pathId(request, 'webhook_id'),
        precondition,
        decide,
        author,
      );
      if (changed === null) throw notFound();
      sendChangedItem(reply, 'webhook', presentWebhook(changed));
    },

    deleteWebhook: async ({ request, reply, precondition, author }) => {
      const { projectId } = accessOf(request);
      if (!(await webhooks.delete(projectId, pathId(request, 'webhook_id'), precondition, author)))
        throw notFound();
      sendNothing(reply);
    },

    rotateWebhookSecret: async ({ request, reply, author }) => {
      const rotated = await webhooks.rotate(
        accessOf(request).projectId,
        pathId(request, 'webhook_id'),
        author,
      );
      if (rotated === null) throw notFound();
      sendJson(reply, presentSigned(rotated));
    },

    testWebhook: async ({ request, reply, author }) => {
      const { projectId } = accessOf(request);
      sendQueued(reply, await dispatches.test(projectId, pathId(request, 'webhook_id'), author));
    },

    listWebhookDeliveries: async ({ request, reply, query: page }) => {
      const { projectId, id } = await existing(request);
      const found = await dispatches.page(projectId, id, page);
      await sendPage({ reply, baseUrl, page }, found, presentDispatch);
    },

    resendWebhookDelivery: async ({ request, reply }) => {
      const { projectId } = accessOf(request);
      const [webhookId, id] = [pathId(request, 'webhook_id'), pathUuid(request, 'delivery_id')];
      sendQueued(reply, await dispatches.resend(projectId, webhookId, id));
    },

    recoverWebhookDeliveries: async ({ request, reply, body }) => {
      const queued = await dispatches.recover(
        accessOf(request).projectId,
        pathId(request, 'webhook_id'),
        body,
      );
      if (queued === null) throw notFound();
      sendJson(reply.code(202), presentRecovered({ queued }));
    },
  };
}

const presentWebhook = presenter(webhook);
const presentWithSecret = presenter(webhookWithSecret);

const presentSigned = ({ webhook: signed, secret }: SignedWebhook) =>
  presentWithSecret({ ...signed, secret });

const presentDispatch = presenter(webhookDelivery, {
  next_attempt_at: ({ dueAt }: Dispatch) => dueAt,
  status: ({ lastStatus }: Dispatch) => lastStatus,
  error: ({ lastError }: Dispatch) => lastError,
  response: ({ lastResponse }: Dispatch) => lastResponse,
});

const presentRecovered = presenter(recoveredDeliveries);

function sendQueued(reply: FastifyReply, dispatch: Dispatch | null): void {
  if (dispatch === null) throw notFound();
  sendJson(reply.code(202), presentDispatch(dispatch));
}

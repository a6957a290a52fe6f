import type { alertEndpoints, WireAlertPage, WireIncidentPage } from '@plugin-config/contract';
import {
  changeRule,
  checkRule,
  notFound,
  previewAlert,
  type Alert,
  type AlertPreviews,
  type AlertStore,
  type IncidentStore,
} from '@plugin-config/domain';
import { accessOf, deadlineOf, hangUpSignal, sendNothing, sendRead } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { pathId } from '../requests/path-id.ts';
import type { MakeOncePerKey } from '../requests/once-per-key.ts';
import { itemResponse, sendChangedItem } from '../responses/item-response.ts';
import { listAddress, pageBody } from '../responses/page-links.ts';
import { replayed, sendResponse } from '../responses/send-response.ts';
import {
  changeOf,
  presentAlert,
  presentIncident,
  presentPreview,
  previewedRule,
  ruleOf,
} from './present-alert.ts';

export interface AlertDependencies {
  readonly alerts: AlertStore;
  readonly incidents: IncidentStore;
  readonly alertPreviews: AlertPreviews;
  readonly baseUrl: BaseUrl;
  readonly oncePerKey: MakeOncePerKey;
}

/** The handlers for alerts and their incidents. */
export function alertHandlers({
  alerts,
  incidents,
  alertPreviews: previews,
  baseUrl,
  oncePerKey,
}: AlertDependencies): Handlers<typeof alertEndpoints> {
  const once = oncePerKey<Alert>();

  const sendIncidents = async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    alertId: number | null,
    { record: recordId, open, ...page }: IncidentQuery,
  ): Promise<void> => {
    const found = await incidents.page(accessOf(request).projectId, { alertId, recordId, open }, page);
    const body: WireIncidentPage = pageBody(listAddress(baseUrl, request), page, found, presentIncident);
    await sendRead(reply, body);
  };

  const existing = async (request: FastifyRequest): Promise<Alert> => {
    const alert = await alerts.find(accessOf(request).projectId, pathId(request, 'alert_id'));
    if (alert === null) throw notFound();
    return alert;
  };

  return {
    listAlerts: async ({ request, reply, query: page }) => {
      const { projectId, at } = accessOf(request);
      const found = await alerts.page(projectId, page);
      const body: WireAlertPage = pageBody(listAddress(baseUrl, request), page, found, (alert) =>
        presentAlert(alert, at),
      );
      await sendRead(reply, body);
    },

    createAlert: async ({ request, reply, body, key, author, deadline }) => {
      const { projectId } = accessOf(request);
      const rule = ruleOf(body);
      checkRule(rule);
      const idempotencyKey = key && { ...key, origin: baseUrl(request) };
      const create = () => alerts.create(projectId, rule, author, idempotencyKey);
      const created = await (idempotencyKey === null ? create() : once(idempotencyKey, deadline, create));
      const { value: alert } = created;
      const origin = created.isFirst ? baseUrl(request) : created.origin;
      const location = `${origin}/api/projects/${projectId}/alerts/${alert.id}`;
      sendAlert(replayed(reply, created).code(201).header('location', location), alert);
    },

    previewAlert: async ({ request, reply, body }) => {
      const { projectId, at } = accessOf(request);
      const options = { at, deadline: deadlineOf(request), signal: hangUpSignal(reply.raw) };
      const preview = await previewAlert({ previews }, projectId, previewedRule(body), options);
      await sendRead(reply, presentPreview(preview));
    },

    retrieveAlert: async ({ request, reply }) => {
      const alert = await existing(request);
      const body = presentAlert(alert, accessOf(request).at);
      sendResponse(request, reply, itemResponse(request, 'alert', body));
    },

    updateAlert: async ({ request, reply, body, precondition, author }) => {
      const { projectId } = accessOf(request);
      const decide = (alert: Alert) => changeRule(alert, changeOf(body));
      const alert = await alerts.change(projectId, pathId(request, 'alert_id'), precondition, decide, author);
      if (alert === null) throw notFound();
      sendAlert(reply, alert);
    },

    deleteAlert: async ({ request, reply, precondition, author }) => {
      const { projectId } = accessOf(request);
      if (!(await alerts.delete(projectId, pathId(request, 'alert_id'), precondition, author)))
        throw notFound();
      sendNothing(reply);
    },

    listAlertIncidents: async ({ query, ...call }) => {
      const { id } = await existing(call.request);
      await sendIncidents(call, id, query);
    },

    listIncidents: async ({ query, ...call }) => sendIncidents(call, null, query),
  };
}

interface IncidentQuery {
  readonly record: number | null;
  readonly open: boolean | null;
  readonly limit: number;
  readonly offset: number;
}

function sendAlert(reply: FastifyReply, alert: Alert): void {
  sendChangedItem(reply, 'alert', presentAlert(alert, accessOf(reply.request).at));
}

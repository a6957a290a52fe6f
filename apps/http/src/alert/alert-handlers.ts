import {
  alert,
  alertPreview,
  incident,
  presenter,
  projectIncident,
  type alertEndpoints,
} from '@plugin-config/contract';
import {
  changeRule,
  checkRule,
  filteredPluginId,
  isBroken,
  notFound,
  pluginIdOf,
  previewAlert,
  type Alert,
  type AlertPreview,
  type PluginRef,
} from '@plugin-config/domain';
import { accessOf, deadlineOf, hangUpSignal, sendNothing, sendRead } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HandlerOf, Handlers } from '../endpoints/handler.ts';
import { pathId } from '../requests/path-id.ts';
import { itemAddress, itemResponse, sendChangedItem } from '../responses/item-response.ts';
import { sendPage } from '../responses/page-links.ts';
import { sendResponse } from '../responses/send-response.ts';
import type { Services } from '../services.ts';

/** The name of a rule that is previewed before it has one. */
const UNNAMED = 'Preview';

/** The handlers for alerts and their incidents. */
export function alertHandlers({
  alerts,
  incidents,
  alertPreviews: previews,
  plugins,
  baseUrl,
}: Services): Handlers<typeof alertEndpoints> {
  const sendIncidents = async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    { alert: alertId, record: recordId, plugin: ref, open, ...page }: IncidentQuery,
  ): Promise<void> => {
    const plugin = await filteredPluginId({ plugins }, ref);
    const filter = { alertId, recordId, plugin, open };
    const found = await incidents.page(accessOf(request).projectId, filter, page);
    await sendPage({ reply, baseUrl, page }, found, presentIncident);
  };

  /** Null means any plugin, and undefined no change. */
  const idOf = async <None extends null | undefined>(ref: PluginRef | None): Promise<number | None> =>
    typeof ref === 'number' || typeof ref === 'string' ? pluginIdOf({ plugins }, ref) : ref;

  const existing = async (request: FastifyRequest): Promise<Alert> => {
    const found = await alerts.find(accessOf(request).projectId, pathId(request, 'alert_id'));
    if (found === null) throw notFound();
    return found;
  };

  return {
    listAlerts: async ({ request, reply, query: { plugin: ref, ...page } }) => {
      const { projectId, at } = accessOf(request);
      const plugin = await filteredPluginId({ plugins }, ref);
      const found = await alerts.page(projectId, plugin, page);
      await sendPage({ reply, baseUrl, page }, found, presentAlertAt(at));
    },

    createAlert: async ({ request, reply, body, author }) => {
      const { projectId } = accessOf(request);
      const rule = { ...body, plugin: await idOf(body.plugin) };
      checkRule(rule);
      const created = await alerts.create(projectId, rule, author);
      const location = itemAddress(baseUrl, request, `alerts/${created.id}`);
      sendAlert(reply.code(201).header('location', location), created);
    },

    previewAlert: async ({ request, reply, body: { name = UNNAMED, ...body } }) => {
      const { projectId, at } = accessOf(request);
      const rule = { ...body, name, plugin: await idOf(body.plugin) };
      const options = { at, deadline: deadlineOf(request), signal: hangUpSignal(reply.raw) };
      const preview = await previewAlert({ previews }, projectId, rule, options);
      await sendRead(reply, presentPreview(preview));
    },

    retrieveAlert: async ({ request, reply }) => {
      const body = presentAlertAt(accessOf(request).at)(await existing(request));
      sendResponse(request, reply, itemResponse(request, 'alert', body));
    },

    updateAlert: async ({ request, reply, body, precondition, author }) => {
      const { projectId } = accessOf(request);
      const change = { ...body, plugin: await idOf(body.plugin) };
      const decide = (current: Alert) => changeRule(current, change);
      const changed = await alerts.change(
        projectId,
        pathId(request, 'alert_id'),
        precondition,
        decide,
        author,
      );
      if (changed === null) throw notFound();
      sendAlert(reply, changed);
    },

    deleteAlert: async ({ request, reply, precondition, author }) => {
      const { projectId } = accessOf(request);
      if (!(await alerts.delete(projectId, pathId(request, 'alert_id'), precondition, author)))
        throw notFound();
      sendNothing(reply);
    },

    listAlertIncidents: async ({ query, ...call }) => {
      const { id } = await existing(call.request);
      await sendIncidents(call, { ...query, alert: id });
    },

    listIncidents: async ({ query, ...call }) => sendIncidents(call, query),
  };
}

/** Lists the incidents of all projects. */
export function projectIncidentsHandler({
  incidents,
  plugins,
  baseUrl,
}: Services): HandlerOf<'listProjectIncidents'> {
  return async ({ reply, query: { alert: alertId, record: recordId, plugin: ref, open, ...page } }) => {
    const plugin = await filteredPluginId({ plugins }, ref);
    const found = await incidents.page(null, { alertId, recordId, plugin, open }, page);
    await sendPage({ reply, baseUrl, page }, found, presentProjectIncident);
  };
}

interface IncidentQuery {
  readonly alert: number | null;
  readonly record: number | null;
  readonly plugin: PluginRef | null;
  readonly open: boolean | null;
  readonly limit: number;
  readonly offset: number;
}

const presentAlert = presenter(alert, {
  record: ({ recordId }: Alert) => recordId,
  for: ({ required }: Alert) => required,
});

const presentAlertAt = (at: Date) => (one: Alert) => presentAlert({ ...one, broken: isBroken(one, at) });

function sendAlert(reply: FastifyReply, changed: Alert): void {
  sendChangedItem(reply, 'alert', presentAlertAt(accessOf(reply.request).at)(changed));
}

const presentIncident = presenter(incident);
const presentProjectIncident = presenter(projectIncident);

const presentPreview = presenter(alertPreview, { results: ({ items }: AlertPreview) => items });

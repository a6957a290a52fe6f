import type { Endpoint, serviceEndpoints } from '@plugin-config/contract';
import { alertHandlers, projectIncidentsHandler, type AlertDependencies } from '../alert/alert-handlers.ts';
import { projectErrorsHandler, type ErrorDependencies } from '../delivery/delivery-handlers.ts';
import type { Handle, Handlers } from '../endpoints/handler.ts';
import { projectRuntimesHandler, type RuntimeDependencies } from '../runtime/runtime-handlers.ts';
import { webhookHandlers, type WebhookDependencies } from '../webhook/webhook-handlers.ts';

/** The handlers for all projects at once. Items have the same handlers as in one project, with the id `SERVICE`. */
export function serviceHandlers(
  dependencies: AlertDependencies &
    ErrorDependencies &
    WebhookDependencies &
    Pick<RuntimeDependencies, 'runtimes'>,
): Handlers<typeof serviceEndpoints> {
  const alerts = alertHandlers(dependencies);
  const webhooks = webhookHandlers(dependencies);
  return {
    listProjectErrors: projectErrorsHandler(dependencies),
    listProjectIncidents: projectIncidentsHandler(dependencies),
    listProjectRuntimes: projectRuntimesHandler(dependencies),
    listServiceAlerts: same(alerts.listAlerts),
    createServiceAlert: same(alerts.createAlert),
    retrieveServiceAlert: same(alerts.retrieveAlert),
    updateServiceAlert: same(alerts.updateAlert),
    deleteServiceAlert: same(alerts.deleteAlert),
    listServiceWebhooks: same(webhooks.listWebhooks),
    createServiceWebhook: same(webhooks.createWebhook),
    retrieveServiceWebhook: same(webhooks.retrieveWebhook),
    updateServiceWebhook: same(webhooks.updateWebhook),
    deleteServiceWebhook: same(webhooks.deleteWebhook),
    rotateServiceWebhookSecret: same(webhooks.rotateWebhookSecret),
    testServiceWebhook: same(webhooks.testWebhook),
    listServiceWebhookDeliveries: same(webhooks.listWebhookDeliveries),
    resendServiceWebhookDelivery: same(webhooks.resendWebhookDelivery),
    recoverServiceWebhookDeliveries: same(webhooks.recoverWebhookDeliveries),
  };
}

/** Adapts the handler of a project endpoint to all projects: only path and admission differ. */
function same<E extends Endpoint>(handler: object): Handle<E> {
  return handler as Handle<E>;
}

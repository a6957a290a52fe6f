import { endpoint } from '../endpoint.ts';
import { etag, etagOfStored, location } from '../headers.ts';
import { pageQuery } from '../page.ts';
import {
  recoveredDeliveries,
  webhook,
  webhookBody,
  webhookChange,
  webhookDelivery,
  webhookDeliveryPage,
  webhookPage,
  webhookQuery,
  webhookRecovery,
  webhookWithSecret,
} from '../webhook.ts';

const ALL = '/api/projects/:project_id/webhooks';
const ONE = `${ALL}/:webhook_id` as const;
const DELIVERIES = `${ONE}/deliveries` as const;

/** The endpoints for webhooks and their deliveries. */
export const webhookEndpoints = {
  listWebhooks: endpoint({
    method: 'GET',
    path: ALL,
    operationId: 'list_webhooks',
    client: 'webhooks.list',
    summary: 'List the webhooks',
    description: 'Sorted by id.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'page',
    query: webhookQuery,
    responses: { 200: { description: 'One page of the webhooks.', body: webhookPage } },
  }),

  createWebhook: endpoint({
    method: 'POST',
    path: ALL,
    operationId: 'create_webhook',
    client: 'webhooks.create',
    summary: 'Create a webhook',
    description:
      'Only this response, and that to a rotation, contains the secret. A project has at most 20 webhooks, each with its own URL.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    conflict: 'already_exists',
    body: {
      schema: webhookBody,
      examples: {
        Incidents: {
          url: 'https://hooks.example.com/plugin-config',
          events: ['incident.opened', 'incident.closed'],
        },
      },
    },
    responses: {
      201: {
        description: 'The new webhook with its secret.',
        body: webhookWithSecret,
        headers: { ETag: etagOfStored, Location: location },
      },
    },
  }),

  retrieveWebhook: endpoint({
    method: 'GET',
    path: ONE,
    operationId: 'retrieve_webhook',
    client: 'webhooks.retrieve',
    summary: 'Retrieve a webhook',
    scope: 'plugin:write',
    needs: 'project',
    work: 'page',
    condition: 'If-None-Match',
    responses: { 200: { description: 'The webhook.', body: webhook, headers: { ETag: etag } } },
  }),

  updateWebhook: endpoint({
    method: 'PATCH',
    path: ONE,
    operationId: 'update_webhook',
    client: 'webhooks.update',
    summary: 'Update a webhook',
    description: 'Changes only the fields in the body. Enabling a webhook clears its `disabled_reason`.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    condition: 'If-Match',
    item: 'webhook',
    conflict: 'already_exists',
    body: {
      schema: webhookChange,
      optional: true,
      examples: { Enable: { enabled: true }, 'Other events': { events: ['record.updated'] } },
    },
    responses: {
      200: { description: 'The changed webhook.', body: webhook, headers: { ETag: etagOfStored } },
    },
  }),

  deleteWebhook: endpoint({
    method: 'DELETE',
    path: ONE,
    operationId: 'delete_webhook',
    client: 'webhooks.delete',
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are not sent.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    condition: 'If-Match',
    item: 'webhook',
    responses: { 204: { description: 'The webhook is deleted.' } },
  }),

  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: `${ONE}/rotate`,
    operationId: 'rotate_webhook_secret',
    client: 'webhooks.rotate',
    summary: 'Replace the secret of a webhook',
    description: 'Deliveries are also signed with the previous secret for 24 hours.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    responses: { 200: { description: 'The webhook with its new secret.', body: webhookWithSecret } },
  }),

  testWebhook: endpoint({
    method: 'POST',
    path: `${ONE}/test`,
    operationId: 'test_webhook',
    client: 'webhooks.test',
    summary: 'Send a test event to a webhook',
    description: 'Queues a delivery of type `webhook.test`.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    responses: { 202: { description: 'The queued delivery.', body: webhookDelivery } },
  }),

  listWebhookDeliveries: endpoint({
    method: 'GET',
    path: DELIVERIES,
    operationId: 'list_webhook_deliveries',
    client: 'webhooks.deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first. Kept for 30 days.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'page',
    query: pageQuery,
    responses: { 200: { description: 'One page of the deliveries.', body: webhookDeliveryPage } },
  }),

  resendWebhookDelivery: endpoint({
    method: 'POST',
    path: `${DELIVERIES}/:delivery_id/resend`,
    operationId: 'resend_webhook_dispatch',
    client: 'webhooks.resend',
    summary: 'Send a delivery again',
    description: 'Queues it with the same id and payload, whatever its state.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    responses: { 202: { description: 'The queued delivery.', body: webhookDelivery } },
  }),

  recoverWebhookDeliveries: endpoint({
    method: 'POST',
    path: `${ONE}/recover`,
    operationId: 'recover_webhook_deliveries',
    client: 'webhooks.recover',
    summary: 'Send failed deliveries again',
    description:
      'Queues every delivery that was created in this time and has failed, the oldest first, until 10,000 deliveries wait.',
    scope: 'plugin:write',
    needs: 'project',
    work: 'administration',
    body: {
      schema: webhookRecovery,
      examples: { 'An outage': { since: '2026-03-01T09:30:00Z', until: '2026-03-01T12:00:00Z' } },
    },
    responses: { 202: { description: 'How many were queued.', body: recoveredDeliveries } },
  }),
};

import { endpointGroup } from '../endpoint.ts';
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
export const webhookEndpoints = endpointGroup({
  listWebhooks: {
    method: 'GET',
    path: ALL,
    client: 'webhooks.list',
    summary: 'List the webhooks',
    description: 'Sorted by id.',
    scope: 'plugin:write',
    query: webhookQuery,
    responses: { 200: { description: 'One page of the webhooks.', body: webhookPage } },
  },

  createWebhook: {
    method: 'POST',
    path: ALL,
    client: 'webhooks.create',
    summary: 'Create a webhook',
    description:
      'Only this response, and that to a rotation, contains the secret. A project has at most 20 webhooks, each with its own URL.',
    scope: 'plugin:write',
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
  },

  retrieveWebhook: {
    method: 'GET',
    path: ONE,
    client: 'webhooks.retrieve',
    summary: 'Retrieve a webhook',
    scope: 'plugin:write',
    condition: 'If-None-Match',
    responses: { 200: { description: 'The webhook.', body: webhook, headers: { ETag: etag } } },
  },

  updateWebhook: {
    method: 'PATCH',
    path: ONE,
    client: 'webhooks.update',
    summary: 'Update a webhook',
    description: 'Changes only the fields in the body. Enabling a webhook clears its `disabled_reason`.',
    scope: 'plugin:write',
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
  },

  deleteWebhook: {
    method: 'DELETE',
    path: ONE,
    client: 'webhooks.delete',
    summary: 'Delete a webhook',
    description: 'Its pending deliveries are not sent.',
    scope: 'plugin:write',
    work: 'administration',
    condition: 'If-Match',
    item: 'webhook',
    responses: { 204: { description: 'The webhook is deleted.' } },
  },

  rotateWebhookSecret: {
    method: 'POST',
    path: `${ONE}/rotate`,
    client: 'webhooks.rotate',
    summary: 'Replace the secret of a webhook',
    description: 'Deliveries are also signed with the previous secret for 24 hours.',
    scope: 'plugin:write',
    work: 'administration',
    responses: { 200: { description: 'The webhook with its new secret.', body: webhookWithSecret } },
  },

  testWebhook: {
    method: 'POST',
    path: `${ONE}/test`,
    client: 'webhooks.test',
    summary: 'Send a test event to a webhook',
    description: 'Queues a delivery of type `webhook.test`.',
    scope: 'plugin:write',
    work: 'administration',
    responses: { 202: { description: 'The queued delivery.', body: webhookDelivery } },
  },

  listWebhookDeliveries: {
    method: 'GET',
    path: DELIVERIES,
    client: 'webhooks.deliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first. Kept for 30 days.',
    scope: 'plugin:write',
    query: pageQuery,
    responses: { 200: { description: 'One page of the deliveries.', body: webhookDeliveryPage } },
  },

  resendWebhookDelivery: {
    method: 'POST',
    path: `${DELIVERIES}/:delivery_id/resend`,
    operationId: 'resend_webhook_dispatch',
    client: 'webhooks.resend',
    summary: 'Send a delivery again',
    description: 'Queues it with the same id and payload, whatever its state.',
    scope: 'plugin:write',
    work: 'administration',
    responses: { 202: { description: 'The queued delivery.', body: webhookDelivery } },
  },

  recoverWebhookDeliveries: {
    method: 'POST',
    path: `${ONE}/recover`,
    client: 'webhooks.recover',
    summary: 'Send failed deliveries again',
    description:
      'Queues every delivery that was created in this time and has failed, the oldest first, until 10,000 deliveries wait.',
    scope: 'plugin:write',
    work: 'administration',
    body: {
      schema: webhookRecovery,
      examples: { 'An outage': { since: '2026-03-01T09:30:00Z', until: '2026-03-01T12:00:00Z' } },
    },
    responses: { 202: { description: 'How many were queued.', body: recoveredDeliveries } },
  },
});

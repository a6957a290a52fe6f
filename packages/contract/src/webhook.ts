import * as z from 'zod';
import {
  DISPATCH_STATES,
  DISABLED_REASONS,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  WEBHOOK_URL_MAX,
} from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { moment, sentMoment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { pluginParameter, pluginRef } from './record-fields.ts';
import { responseText, uuid } from './response-text.ts';
import { filledText } from './text.ts';

const SECRET_MAX = 200;
const PAYLOAD_MAX = 20_000;
const ERROR_MAX = 1000;
const RESPONSE_MAX = 1024;

const fields = {
  url: filledText(WEBHOOK_URL_MAX).meta({
    description:
      'An `https` URL without a user, a password or a fragment. Private addresses are not allowed.',
    examples: ['https://hooks.example.com/plugin-config'],
  }),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1, 'At least one event is required.')
    .max(WEBHOOK_EVENTS.length)
    .meta({ maxItems: WEBHOOK_EVENTS.length, description: 'The events that are delivered.' }),
  plugin: pluginRef.nullable().meta({
    description: 'Only events about this plugin and its records are delivered; null for all events.',
  }),
  enabled: z.boolean().meta({ description: 'Only enabled webhooks get deliveries.' }),
};

export const webhookBody = z
  .object({ ...fields, plugin: fields.plugin.default(null), enabled: fields.enabled.default(true) })
  .meta({ id: 'CreateWebhook', description: 'The fields of the new webhook. Unknown fields are ignored.' });

export const webhookChange = z.object(fields).partial().meta({
  id: 'UpdateWebhook',
  description: 'The fields to change. Read-only and unknown fields are ignored.',
});

export const webhook = z
  .object({
    id: natural(),
    ...fields,
    plugin: natural().nullable(),
    disabled_reason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        'Why the service disabled the webhook: it responded with 410 (`gone`); nothing could be delivered for five days (`failing`).',
    }),
    last_delivered_at: moment.nullable(),
    paused_at: moment.nullable().meta({
      description:
        'Since when it gets no events because 10,000 deliveries wait; null if it gets them. It does again once half of them have ended.',
    }),
    version: natural().meta({ description: 'Incremented by every change. Part of the `ETag`.' }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({
    id: 'Webhook',
    description: 'A URL to which events of a project, or of all projects, are delivered.',
  });

export const webhookQuery = z.object({
  ...pageParameters,
  plugin: pluginParameter.meta({ description: 'Only webhooks for this plugin.' }),
});

export const webhookPage = pageOf('WebhookPage', webhook);

export const webhookWithSecret = z
  .object({
    ...webhook.shape,
    secret: z.string().meta({
      pattern: '^whsec_[A-Za-z0-9+/=]+$',
      maxLength: SECRET_MAX,
      description: 'Verifies the signatures of the deliveries. Only creating and rotating return it.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  })
  .meta({
    id: 'WebhookWithSecret',
    description: 'A webhook with its signing secret.',
  });

export const webhookDelivery = z
  .object({
    id: uuid.meta({ description: 'Also sent as the header `webhook-id`.' }),
    type: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    state: z.enum(DISPATCH_STATES),
    attempts: natural(),
    created_at: moment,
    next_attempt_at: moment.nullable().meta({ description: 'Null once it is delivered or has failed.' }),
    finished_at: moment.nullable(),
    status: integer({ min: 100, max: 999 })
      .nullable()
      .meta({ description: 'Status of the last response; null without a response.' }),
    error: responseText(ERROR_MAX).nullable().meta({ description: 'Why the last attempt failed.' }),
    response: responseText(RESPONSE_MAX)
      .nullable()
      .meta({ description: 'The beginning of the last response, at most 1 KiB.', examples: ['ok'] }),
    payload: responseText(PAYLOAD_MAX).meta({
      description: 'The JSON text that is sent.',
      examples: ['{"type":"webhook.test"}'],
    }),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'An event for a webhook, and its last attempt.',
  });

export const webhookDeliveryPage = pageOf('WebhookDeliveryPage', webhookDelivery);

export const webhookRecovery = z
  .object({
    since: sentMoment.meta({ description: 'The earliest `created_at`.' }),
    until: sentMoment.meta({ description: 'Deliveries from then on are not queued.' }),
  })
  .meta({
    id: 'WebhookRecovery',
    description: 'The time of the failed deliveries. Unknown fields are ignored.',
  });

export const recoveredDeliveries = z
  .object({ queued: natural().meta({ description: 'The number of deliveries that were queued again.' }) })
  .meta({ id: 'RecoveredDeliveries' });

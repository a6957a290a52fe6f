import type { WireWebhook, WireWebhookDelivery, WireWebhookWithSecret } from '@plugin-config/contract';
import type { Delivery, SignedWebhook, Webhook } from '@plugin-config/domain';

export function presentWebhook(webhook: Webhook): WireWebhook {
  return {
    id: webhook.id,
    url: webhook.url,
    events: [...webhook.events],
    enabled: webhook.enabled,
    disabled_reason: webhook.disabledReason,
    last_delivered_at: webhook.lastDeliveredAt?.toISOString() ?? null,
    version: webhook.version,
    created_at: webhook.createdAt.toISOString(),
    updated_at: webhook.updatedAt.toISOString(),
  };
}

export function presentSigned({ webhook, secret }: SignedWebhook): WireWebhookWithSecret {
  return { ...presentWebhook(webhook), secret };
}

export function presentDelivery(delivery: Delivery): WireWebhookDelivery {
  return {
    id: delivery.id,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.dueAt?.toISOString() ?? null,
    finished_at: delivery.finishedAt?.toISOString() ?? null,
    status: delivery.lastStatus,
    error: delivery.lastError,
    response: delivery.lastResponse,
    payload: delivery.payload,
  };
}

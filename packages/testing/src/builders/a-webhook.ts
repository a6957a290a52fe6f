import {
  WEBHOOK_EVENTS,
  type AttemptOutcome,
  type SignedWebhook,
  type WebhookSettings,
} from '@plugin-config/domain';
import type { Ports } from '../ports.ts';
import { anAuthor } from './an-author.ts';

export function someWebhookSettings(given: Partial<WebhookSettings> = {}): WebhookSettings {
  return {
    url: 'https://hooks.example/path?token=1',
    events: WEBHOOK_EVENTS,
    plugin: null,
    enabled: true,
    ...given,
  };
}

/** Creates a webhook for all events, by default with a unique URL. */
export async function aWebhook(
  { webhooks }: Pick<Ports, 'webhooks'>,
  projectId: number,
  given: Partial<WebhookSettings> = {},
): Promise<SignedWebhook> {
  const url = `https://hooks.example/path?token=${crypto.randomUUID()}`;
  return webhooks.create(projectId, someWebhookSettings({ url, ...given }), anAuthor());
}

export const ACCEPTED: AttemptOutcome = {
  status: 204,
  error: null,
  response: null,
  retryAfterMs: null,
  hasTimedOut: false,
};
export const REJECTED: AttemptOutcome = {
  status: 500,
  error: 'The receiver responded with 500.',
  response: 'Oh no',
  retryAfterMs: null,
  hasTimedOut: false,
};

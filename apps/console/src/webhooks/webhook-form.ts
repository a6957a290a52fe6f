import type { NewWebhook, Webhook, WebhookEvent } from '@plugin-config/client';
import { EVENTS } from './webhook-words.ts';

/** A webhook as edited in the form. */
export interface WebhookForm {
  readonly url: string;
  /** In the order of the form. */
  readonly events: readonly WebhookEvent[];
  /** An id; empty for events about all plugins. */
  readonly plugin: string;
  readonly enabled: boolean;
}

export const NEW_WEBHOOK: WebhookForm = {
  url: '',
  events: ['incident.opened', 'incident.closed'],
  plugin: '',
  enabled: true,
};

const ALL = Object.keys(EVENTS) as readonly WebhookEvent[];

export function formOf({ url, events, plugin, enabled }: Webhook): WebhookForm {
  const shown = plugin === null ? '' : String(plugin);
  return { url, events: ALL.filter((event) => events.includes(event)), plugin: shown, enabled };
}

/** Returns the webhook that a form describes. The service checks it. */
export function webhookOf({ url, events, plugin, enabled }: WebhookForm): Required<NewWebhook> {
  return { url: url.trim(), events: [...events], plugin: plugin === '' ? null : Number(plugin), enabled };
}

export function withEvent(form: WebhookForm, event: WebhookEvent, isOn: boolean): WebhookForm {
  return { ...form, events: ALL.filter((one) => (one === event ? isOn : form.events.includes(one))) };
}

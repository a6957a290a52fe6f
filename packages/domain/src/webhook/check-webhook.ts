import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { WebhookSettings } from './webhook.ts';
import { WEBHOOK_URL_MAX, type WebhookEvent } from '../vocabulary/vocabulary.ts';

/** The parts of a URL in canonical notation. */
export interface UrlParts {
  /** With a colon. */
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  /** An IPv6 address is in brackets. */
  readonly hostname: string;
}

export interface AddressRules {
  readonly allowHttp: boolean;
  /** Parses an absolute URL as browsers do; null if it is not one. */
  parseUrl(text: string): UrlParts | null;
  isForbidden(address: string): boolean;
}

const PRINTABLE_ASCII = /^[!-~]+$/;
const HTTP_OR_HTTPS = 'https:// or http://';
const HTTPS = 'https:// (http:// needs WEBHOOK_ALLOW_HTTP=true at the service)';
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** @throws DomainError `invalid_input` or `max_length`, with the name of the field */
export function checkWebhook({ url, events }: WebhookSettings, rules: AddressRules): void {
  checkUrl(url, rules);
  checkEvents(events);
}

/**
 * Returns the settings after a change. Undefined settings are kept. A webhook whose URL is no longer allowed can still be
 * disabled.
 * @throws DomainError as `checkWebhook`
 */
export function changeWebhook(
  current: WebhookSettings,
  change: { readonly [K in keyof WebhookSettings]?: WebhookSettings[K] | undefined },
  rules: AddressRules,
): WebhookSettings {
  const url = change.url ?? current.url;
  const events = change.events ?? current.events;
  const enabled = change.enabled ?? current.enabled;
  const plugin = change.plugin === undefined ? current.plugin : change.plugin;
  if (enabled || url !== current.url) checkUrl(url, rules);
  checkEvents(events);
  return { url, events, plugin, enabled };
}

function checkEvents(events: readonly WebhookEvent[]): void {
  if (events.length === 0) throw invalidInput('events', 'Choose at least one event.');
  if (new Set(events).size < events.length) throw invalidInput('events', 'Each event may occur only once.');
}

function checkUrl(text: string, { allowHttp, parseUrl, isForbidden }: AddressRules): void {
  if (text.length > WEBHOOK_URL_MAX) {
    const message = `Ensure this field has no more than ${WEBHOOK_URL_MAX} characters.`;
    throw new DomainError('max_length', message, { attr: 'url' });
  }
  const url = PRINTABLE_ASCII.test(text) ? parseUrl(text) : null;
  if (url === null)
    throw invalidInput('url', 'This is not a URL, or it contains characters that are not ASCII.');
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && allowHttp);
  if (!isAllowed) throw invalidInput('url', `This URL must start with ${allowHttp ? HTTP_OR_HTTPS : HTTPS}.`);
  if (url.username !== '' || url.password !== '')
    throw invalidInput('url', 'A user or password is not allowed.');
  if (text.includes('#')) throw invalidInput('url', 'A fragment is not allowed.');
  const address = literalAddress(url);
  if (address !== null && isForbidden(address)) {
    throw invalidInput(
      'url',
      'This address is private or reserved, and not in WEBHOOK_ALLOW_ADDRESSES of the service.',
    );
  }
}

/** Returns the IP address in a URL, in its canonical notation; null if the URL has a name. */
export function literalAddress({ hostname }: Pick<UrlParts, 'hostname'>): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return IPV4.test(hostname) ? hostname : null;
}

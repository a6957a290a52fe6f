import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import type { Precondition } from '../record/config-record.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';

export const RECORD_EVENTS = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.disabled_by_alert',
] as const;

export const WEBHOOK_EVENTS = [
  'incident.opened',
  'incident.closed',
  ...RECORD_EVENTS,
  'project.quota_reached',
] as const;

export type RecordEvent = (typeof RECORD_EVENTS)[number];
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The maximum number of webhooks of a project. */
export const WEBHOOKS_MAX = 20;
export const WEBHOOK_URL_MAX = 2000;

export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly enabled: boolean;
}

/** Why the service disabled a webhook: its receiver responded with 410, or has failed for too long or is too far behind. */
export type DisabledReason = 'gone' | 'failing';

export interface Webhook extends WebhookSettings {
  readonly id: number;
  readonly projectId: number;
  /** Incremented whenever a caller or the service changes the settings. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Null unless the service disabled it. */
  readonly disabledReason: DisabledReason | null;
  readonly lastDeliveredAt: Date | null;
}

/** The parts of a URL in canonical notation. */
export interface UrlParts {
  /** With a colon. */
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  /** An IPv6 address is in brackets. */
  readonly hostname: string;
}

/** Which URLs are allowed. */
export interface AddressRules {
  readonly allowHttp: boolean;
  /** Parses an absolute URL as browsers do; null if it is not one. */
  parseUrl(text: string): UrlParts | null;
  /** Whether connections to this IP address are forbidden. */
  isForbidden(address: string): boolean;
}

/** A webhook with the secret that signs its deliveries. */
export interface SignedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Stores webhooks. Their URLs and secrets are encrypted. Each change adds an audit entry in the same transaction. */
export interface WebhookStore {
  /** Returns one page, sorted by id. */
  page(projectId: number, page: PageRequest): Promise<Page<Webhook>>;
  find(projectId: number, id: number): Promise<Webhook | null>;
  /**
   * Creates a webhook with a new secret. With the key of an earlier request, creates nothing and returns the webhook
   * of that request as it is now.
   * @throws DomainError `project_not_found`; `invalid_input` if the project has `WEBHOOKS_MAX` webhooks; `not_found`
   * if the webhook of the earlier request has been deleted; `throttled` if the author's API key has too many stored
   * responses
   */
  create(
    projectId: number,
    settings: WebhookSettings,
    author: Author,
    key: IdempotencyKey | null,
  ): Promise<Once<SignedWebhook>>;
  /**
   * Replaces the settings with those that `decide` returns for the current webhook. Deliveries of a disabled webhook
   * wait until it is enabled again. Resolves to null if there is no such webhook.
   * @throws DomainError `stale_version`
   */
  change(
    projectId: number,
    id: number,
    precondition: Precondition,
    decide: (webhook: Webhook) => WebhookSettings,
    author: Author,
  ): Promise<Webhook | null>;
  /**
   * Deletes a webhook. Its deliveries can no longer be found, and none is sent from then on. Resolves to false if there
   * is no such webhook.
   * @throws DomainError `stale_version`
   */
  delete(projectId: number, id: number, precondition: Precondition, author: Author): Promise<boolean>;
  /** Replaces the secret. The old one also signs deliveries for `OLD_SECRET_MS`. So do the last four, if it is replaced again. */
  rotate(projectId: number, id: number, author: Author): Promise<SignedWebhook | null>;
}

/** How long a replaced secret still signs deliveries. */
export const OLD_SECRET_MS = 24 * 60 * 60_000;

const PRINTABLE_ASCII = /^[!-~]+$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

/** @throws DomainError `invalid_input` or `max_length`, with the name of the field */
export function checkWebhook({ url, events }: WebhookSettings, rules: AddressRules): void {
  checkUrl(url, rules);
  checkEvents(events);
}

/**
 * Returns the settings after a change. Undefined ones are kept. A webhook whose URL is no longer allowed can still be disabled.
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
  if (enabled || url !== current.url) checkUrl(url, rules);
  checkEvents(events);
  return { url, events, enabled };
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
  if (!isAllowed)
    throw invalidInput('url', `This URL must start with https://${allowHttp ? ' or http://' : ''}.`);
  if (url.username !== '' || url.password !== '')
    throw invalidInput('url', 'A user or password is not allowed.');
  if (text.includes('#')) throw invalidInput('url', 'A fragment is not allowed.');
  const address = literalAddress(url);
  if (address !== null && isForbidden(address)) {
    throw invalidInput('url', 'This address is private or reserved, so nothing is sent there.');
  }
}

/** Returns the IP address in a URL, in its canonical notation; null if the URL has a name. */
export function literalAddress({ hostname }: Pick<UrlParts, 'hostname'>): string | null {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return IPV4.test(hostname) ? hostname : null;
}

export function tooManyWebhooks(): DomainError {
  return new DomainError('invalid_input', `A project has at most ${WEBHOOKS_MAX} webhooks.`);
}

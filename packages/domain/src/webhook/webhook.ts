import { alreadyExists, DomainError } from '../kernel/domain-error.ts';
import type { Precondition } from '../record/config-record.ts';
import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { DisabledReason, WebhookEvent } from '../vocabulary/vocabulary.ts';

/** The maximum number of webhooks of a project, and for all projects. */
export const WEBHOOKS_MAX = 20;
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Null for events of all plugins. Only events about a record or a plugin are. */
  readonly plugin: number | null;
  readonly enabled: boolean;
}

export interface Webhook extends WebhookSettings {
  readonly id: number;
  /** `SERVICE` for a webhook for all projects. */
  readonly projectId: number;
  /** Incremented whenever a caller or the service changes the settings. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Null unless the service disabled it. */
  readonly disabledReason: DisabledReason | null;
  readonly lastDeliveredAt: Date | null;
  /** Since when it gets no events because too many wait; null if it gets them. */
  readonly pausedAt: Date | null;
}

/** A webhook with the secret that signs its dispatches. */
export interface SignedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

/**
 * Stores webhooks. Webhooks for all projects have the project id `SERVICE`. Their URLs and secrets are encrypted. Each change
 * adds an audit entry in the same transaction.
 */
export interface WebhookStore {
  /** Returns one page, sorted by id: of all webhooks, or only of a plugin's. */
  page(projectId: number, plugin: number | null, page: PageRequest): Promise<Page<Webhook>>;
  find(projectId: number, id: number): Promise<Webhook | null>;
  /**
   * Creates a webhook with a new secret.
   * @throws DomainError `project_not_found`; `already_exists`, attr `url`, if the project has a webhook with this URL;
   * `invalid_input` if it has `WEBHOOKS_MAX` webhooks
   */
  create(projectId: number, settings: WebhookSettings, author: Author): Promise<SignedWebhook>;
  /**
   * Replaces the settings with the result of `decide` for the current webhook. Pending dispatches of a disabled webhook wait
   * until it is enabled again; those older than `RETRIED_MS` fail then. Resolves to null if there is no such webhook.
   * @throws DomainError `stale_version`; `already_exists`, attr `url`
   */
  change(
    projectId: number,
    id: number,
    precondition: Precondition,
    decide: (webhook: Webhook) => WebhookSettings,
    author: Author,
  ): Promise<Webhook | null>;
  /**
   * Deletes a webhook and its dispatches. Resolves to false if there
   * is no such webhook.
   * @throws DomainError `stale_version`
   */
  delete(projectId: number, id: number, precondition: Precondition, author: Author): Promise<boolean>;
  /**
   * Replaces the secret. The old secret also signs dispatches for `OLD_SECRET_MS`, as do the last four if it is replaced again.
   */
  rotate(projectId: number, id: number, author: Author): Promise<SignedWebhook | null>;
}

/** How long a replaced secret still signs dispatches. */
export const OLD_SECRET_MS = 24 * 60 * 60_000;

export function tooManyWebhooks(): DomainError {
  return new DomainError('invalid_input', `At most ${WEBHOOKS_MAX} webhooks are allowed. Delete one first.`);
}

export function urlTaken(): DomainError {
  return alreadyExists('url', 'There is already a webhook with this URL.');
}

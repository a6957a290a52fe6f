import { service } from '../shell/service.ts';

/** A project; null for all projects. */
export type WebhookOwner = number | null;

/** The query key prefix of the webhooks of an owner and their dispatches. */
export const webhooksKey = (owner: WebhookOwner) => ['webhooks', owner] as const;

export const webhooksOf = (owner: WebhookOwner) =>
  owner === null ? service.webhooks : service.project(owner).webhooks;

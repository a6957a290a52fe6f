import { service } from '../shell/service.ts';

/** A project; null for all projects. */
export type AlertOwner = number | null;

/** The query key prefix of the alerts of an owner and their incidents. */
export const alertsKey = (owner: AlertOwner) => ['alerts', owner] as const;

/** How often lists of incidents are read: the stream doesn't send incidents. */
export const REFRESH_MS = 15_000;

export const alertsOf = (owner: AlertOwner) =>
  owner === null ? service.alerts : service.project(owner).alerts;

export const incidentsOf = (owner: AlertOwner) =>
  (owner === null ? service : service.project(owner)).incidents;

import type { Endpoint } from '../endpoint.ts';
import { administrationEndpoints } from './administration-endpoints.ts';
import { alertEndpoints } from './alert-endpoints.ts';
import { declarationEndpoints } from './declaration-endpoints.ts';
import { pluginVersionEndpoints } from './plugin-version-endpoints.ts';
import { projectEndpoints } from './project-endpoints.ts';
import { recordEndpoints } from './record-endpoints.ts';
import { revisionEndpoints } from './revision-endpoints.ts';
import { runtimeEndpoints } from './runtime-endpoints.ts';
import { serviceEndpoints } from './service-endpoints.ts';
import {
  sessionBody,
  sessionEndpoints,
  sessionsEndBody,
  type WireEndedSessions,
} from './session-endpoints.ts';
import { streamEndpoints } from './stream-endpoints.ts';
import { subresourceEndpoints } from './subresource-endpoints.ts';
import { trustEndpoints } from './trust-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';

export {
  administrationEndpoints,
  alertEndpoints,
  declarationEndpoints,
  pluginVersionEndpoints,
  projectEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  serviceEndpoints,
  sessionBody,
  sessionEndpoints,
  sessionsEndBody,
  streamEndpoints,
  subresourceEndpoints,
  trustEndpoints,
  webhookEndpoints,
};
export type { WireEndedSessions };

/** All endpoints of the API. */
export const endpoints = {
  ...projectEndpoints,
  ...sessionEndpoints,
  ...administrationEndpoints,
  ...pluginVersionEndpoints,
  ...trustEndpoints,
  ...declarationEndpoints,
  ...recordEndpoints,
  ...revisionEndpoints,
  ...runtimeEndpoints,
  ...subresourceEndpoints,
  ...streamEndpoints,
  ...alertEndpoints,
  ...webhookEndpoints,
  ...serviceEndpoints,
} satisfies Readonly<Record<string, Endpoint>>;

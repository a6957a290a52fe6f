import type { endpoints } from '@plugin-config/contract';
import { SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import { accessOf, type Work } from '@plugin-config/server';
import type { FastifyRequest } from 'fastify';

/** The kind of work of a request, or a function that returns it. Administration is slow work with a limit per minute. */
export type WorkOf = Work | 'administration' | ((request: FastifyRequest) => Work);

export type EndpointName = keyof typeof endpoints;

/** The cost of each endpoint. Reads of records pass the gate only if the response is not cached. */
const WORK: Readonly<Record<EndpointName, WorkOf>> = {
  listProjects: 'page',
  retrieveProject: 'page',
  retrieveUsage: 'page',
  // Adds up the deliveries of all records, within a time limit.
  retrieveOverview: 'slow',

  // Has no key, and therefore no account. Failed sign-ins are limited instead.
  beginSession: 'request',
  retrieveSession: 'page',
  endSession: 'request',

  retrieveOwnKey: 'page',
  listKeys: 'page',
  createKey: 'administration',
  revokeKey: 'administration',
  createProject: 'administration',
  updateProject: 'administration',
  deleteProject: 'administration',
  listErasures: 'page',
  retrieveErasure: 'page',
  listPlugins: 'page',
  retrievePlugin: 'page',
  registerPlugin: 'administration',
  removePlugin: 'administration',
  listAudit: 'page',

  exportConfiguration: 'large',
  planConfiguration: 'large',
  applyConfiguration: 'large',
  adoptRecords: 'large',
  listDrift: 'page',
  listOwnedRecords: 'page',

  listRecords: 'page',
  // Reads the histories of all records, within a time limit.
  listActivity: 'slow',
  listErrors: 'page',
  createRecord: 'request',
  rearrangeRecords: 'slow',
  retrieveRecord: 'request',
  updateRecord: 'request',
  replaceRecord: 'request',
  deleteRecord: 'request',
  setConfiguration: configurationWork,

  retrieveActivity: 'page',
  retrieveFrontend: 'page',
  // Queuing and cancelling a job waits for the lock of the family.
  queueJob: 'slow',
  listJobs: 'page',
  retrieveJob: 'page',
  cancelJob: 'slow',
  retrieveDeliveries: 'page',
  retrieveRecentDeliveries: 'page',
  listLogs: logWork,
  countLogs: 'page',
  countProjectLogs: 'page',
  retrieveLogEntry: 'slow',

  listRevisions: 'page',
  retrieveRevision: 'page',
  restoreRevision: 'large',

  retrieveRuntime: 'page',
  reportRuntime: 'request',
  listRuntimes: 'page',
  forgetRuntime: 'request',

  streamRecords: 'request',
  streamLogs: logWork,

  listAlerts: 'page',
  createAlert: 'administration',
  // Evaluates 24 hours of up to 200 records.
  previewAlert: 'slow',
  retrieveAlert: 'page',
  updateAlert: 'administration',
  deleteAlert: 'administration',
  listAlertIncidents: 'page',
  listIncidents: 'page',

  listWebhooks: 'page',
  createWebhook: 'administration',
  retrieveWebhook: 'page',
  updateWebhook: 'administration',
  deleteWebhook: 'administration',
  rotateWebhookSecret: 'administration',
  testWebhook: 'administration',
  listWebhookDeliveries: 'page',
  resendWebhookDelivery: 'administration',
};

export function workOf(name: EndpointName): WorkOf {
  return WORK[name];
}

/** A dry run occupies a database connection, and does not count as a change. */
export function dryWork(work: WorkOf): WorkOf {
  return work === 'large' ? work : 'slow';
}

/** Comparing configurations is `large` work unless the old and the new one together are small. */
function configurationWork(request: FastifyRequest): Work {
  const replaced = accessOf(request).record?.config.length ?? 0;
  const sent = Number(request.headers['content-length'] ?? Infinity);
  return replaced + sent <= SMALL_CHANGE_BYTES ? 'request' : 'large';
}

/** The parameters that may require a search. */
const SEARCH_PARAMETERS = ['search', 'instance_id', 'type_filter', 'source'];

function logWork({ query }: FastifyRequest): Work {
  const sent = query as Readonly<Record<string, unknown>>;
  return SEARCH_PARAMETERS.some((name) => sent[name] !== undefined) ? 'slow' : 'page';
}

import type {
  administrationEndpoints,
  declarationEndpoints,
  projectEndpoints,
  sessionEndpoints,
  recordEndpoints,
  revisionEndpoints,
  runtimeEndpoints,
  subresourceEndpoints,
  streamEndpoints,
} from '@plugin-config/contract';

type Definitions = typeof projectEndpoints &
  typeof sessionEndpoints &
  typeof administrationEndpoints &
  typeof declarationEndpoints &
  typeof recordEndpoints &
  typeof revisionEndpoints &
  typeof runtimeEndpoints &
  typeof subresourceEndpoints &
  typeof streamEndpoints;

/**
 * The method and path of every endpoint, and whether it takes an `Idempotency-Key`. The compiler checks that this matches the
 * contract.
 */
export const ENDPOINTS = {
  listProjects: ['GET', '/api/projects'],
  retrieveProject: ['GET', '/api/projects/:project_id'],
  retrieveUsage: ['GET', '/api/projects/:project_id/usage'],
  beginSession: ['POST', '/api/session'],
  retrieveSession: ['GET', '/api/session'],
  endSession: ['DELETE', '/api/session'],
  retrieveOwnKey: ['GET', '/api/key'],
  listKeys: ['GET', '/api/keys'],
  createKey: ['POST', '/api/keys'],
  revokeKey: ['DELETE', '/api/keys/:key_id'],
  createProject: ['POST', '/api/projects'],
  updateProject: ['PATCH', '/api/projects/:project_id'],
  listPlugins: ['GET', '/api/plugins'],
  retrievePlugin: ['GET', '/api/plugins/:plugin_id'],
  registerPlugin: ['PUT', '/api/plugins/:plugin_id'],
  removePlugin: ['DELETE', '/api/plugins/:plugin_id'],
  listAudit: ['GET', '/api/audit'],
  exportConfiguration: ['GET', '/api/projects/:project_id/configuration'],
  planConfiguration: ['POST', '/api/projects/:project_id/configuration/plan'],
  applyConfiguration: ['POST', '/api/projects/:project_id/configuration/apply', 'idempotent'],
  adoptRecords: ['POST', '/api/projects/:project_id/configuration/adopt'],
  releaseRecords: ['POST', '/api/projects/:project_id/configuration/release'],
  listDrift: ['GET', '/api/projects/:project_id/configuration/drift'],
  listOwnedRecords: ['GET', '/api/projects/:project_id/configuration/records'],
  listRecords: ['GET', '/api/projects/:project_id/:family'],
  listActivity: ['GET', '/api/projects/:project_id/:family/activity'],
  listErrors: ['GET', '/api/projects/:project_id/:family/errors'],
  createRecord: ['POST', '/api/projects/:project_id/:family', 'idempotent'],
  rearrangeRecords: ['PATCH', '/api/projects/:project_id/:family/rearrange'],
  retrieveRecord: ['GET', '/api/projects/:project_id/:family/:id'],
  updateRecord: ['PATCH', '/api/projects/:project_id/:family/:id'],
  replaceRecord: ['PUT', '/api/projects/:project_id/:family/:id'],
  deleteRecord: ['DELETE', '/api/projects/:project_id/:family/:id'],
  setConfiguration: ['PUT', '/api/projects/:project_id/:family/:id/config'],
  retrieveActivity: ['GET', '/api/projects/:project_id/:family/:id/activity'],
  retrieveFrontend: ['GET', '/api/projects/:project_id/:family/:id/frontend'],
  queueJob: ['POST', '/api/projects/:project_id/:family/:id/job', 'idempotent'],
  listRevisions: ['GET', '/api/projects/:project_id/:family/:id/revisions'],
  retrieveRevision: ['GET', '/api/projects/:project_id/:family/:id/revisions/:revision'],
  restoreRevision: [
    'POST',
    '/api/projects/:project_id/:family/:id/revisions/:revision/restore',
    'idempotent',
  ],
  listJobs: ['GET', '/api/projects/:project_id/:family/:id/jobs'],
  retrieveJob: ['GET', '/api/projects/:project_id/:family/:id/jobs/:job_id'],
  cancelJob: ['DELETE', '/api/projects/:project_id/:family/:id/jobs/:job_id'],
  retrieveDeliveries: ['GET', '/api/projects/:project_id/:family/:id/deliveries'],
  listLogs: ['GET', '/api/projects/:project_id/:family/:plugin_config_id/logs'],
  countLogs: ['GET', '/api/projects/:project_id/:family/:plugin_config_id/logs/counts'],
  countProjectLogs: ['GET', '/api/projects/:project_id/:family/logs/counts'],
  retrieveLogEntry: ['GET', '/api/projects/:project_id/:family/:plugin_config_id/logs/:entry_id'],
  retrieveRuntime: ['GET', '/api/projects/:project_id/:family/runtime'],
  reportRuntime: ['PUT', '/api/projects/:project_id/:family/runtimes/:instance'],
  listRuntimes: ['GET', '/api/projects/:project_id/:family/runtimes'],
  forgetRuntime: ['DELETE', '/api/projects/:project_id/:family/runtimes/:instance'],
  streamRecords: ['GET', '/api/projects/:project_id/:family/stream'],
  streamLogs: ['GET', '/api/projects/:project_id/:family/:plugin_config_id/logs/stream'],
} as const satisfies {
  readonly [Id in keyof Definitions]: readonly [
    Definitions[Id]['method'],
    Definitions[Id]['path'],
    ...(Definitions[Id] extends { readonly idempotent: true } ? readonly ['idempotent'] : readonly []),
  ];
};

export type EndpointId = keyof typeof ENDPOINTS;

/** The parameters in the path of an endpoint. */
export type PathParams<Id extends EndpointId> = Readonly<
  Record<ParamNames<(typeof ENDPOINTS)[Id][1]>, string | number>
>;

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

import type { Call, ChangeOptions, RequestOptions } from './calls/call.ts';
import { listing, type Listing } from './calls/listing.ts';
import type {
  ApiKey,
  AttachedRecord,
  AttachedRecordsQuery,
  AuditEntry,
  Erasure,
  IssuedApiKey,
  NewApiKey,
  OwnApiKey,
  PageQuery,
  Project,
  ProjectFields,
  RegisteredPlugin,
  Registration,
  RegistrationResult,
} from './wire.ts';

export interface ApiKeys {
  /** Lists the keys that the client's key could have issued. */
  list(query?: PageQuery, options?: RequestOptions): Listing<ApiKey>;
  /** Issues a key. Not retried if the response is lost, because only that response contains the token. */
  create(key: NewApiKey, options?: ChangeOptions): Promise<IssuedApiKey>;
  revoke(id: number, options?: ChangeOptions): Promise<void>;
}

export interface Plugins {
  list(query?: PageQuery, options?: RequestOptions): Listing<RegisteredPlugin>;
  retrieve(id: number, options?: RequestOptions): Promise<RegisteredPlugin>;
  /** Registers a plugin or replaces its registration. The result says how many records the schema refuses. */
  register(id: number, registration: Registration, options?: ChangeOptions): Promise<RegistrationResult>;
  /** Lists the records of a plugin in all projects of the client's key. */
  records(id: number, query?: AttachedRecordsQuery, options?: RequestOptions): Listing<AttachedRecord>;
  remove(id: number, options?: ChangeOptions): Promise<void>;
}

export interface Administration {
  /** Retrieves the client's key. */
  key(options?: RequestOptions): Promise<OwnApiKey>;
  readonly keys: ApiKeys;
  readonly plugins: Plugins;
  /** Lists administrative changes, newest first. */
  audit(query?: PageQuery, options?: RequestOptions): Listing<AuditEntry>;
  createProject(fields: ProjectFields, options?: ChangeOptions): Promise<Project>;
  readonly erasures: Erasures;
}

/** The erasures of deleted projects. */
export interface Erasures {
  list(query?: PageQuery, options?: RequestOptions): Listing<Erasure>;
  retrieve(projectId: number, options?: RequestOptions): Promise<Erasure>;
}

/** @internal */
export function administration(call: Call): Administration {
  return {
    key: async (options) => call('GET /api/key', { params: {} }, options),
    keys: {
      list: (query, options) => listing(call, 'GET /api/keys', { params: {}, query }, options),
      create: async (body, options) => call('POST /api/keys', { params: {}, body }, options),
      revoke: async (id, options) => call('DELETE /api/keys/:key_id', { params: { key_id: id } }, options),
    },
    plugins: {
      list: (query, options) => listing(call, 'GET /api/plugins', { params: {}, query }, options),
      retrieve: async (id, options) =>
        call('GET /api/plugins/:plugin_id', { params: { plugin_id: id } }, options),
      register: async (id, body, options) =>
        call('PUT /api/plugins/:plugin_id', { params: { plugin_id: id }, body }, options),
      records: (id, query, options) =>
        listing(call, 'GET /api/plugins/:plugin_id/records', { params: { plugin_id: id }, query }, options),
      remove: async (id, options) =>
        call('DELETE /api/plugins/:plugin_id', { params: { plugin_id: id } }, options),
    },
    audit: (query, options) => listing(call, 'GET /api/audit', { params: {}, query }, options),
    createProject: async (body, options) => call('POST /api/projects', { params: {}, body }, options),
    erasures: {
      list: (query, options) => listing(call, 'GET /api/erasures', { params: {}, query }, options),
      retrieve: async (projectId, options) =>
        call('GET /api/erasures/:project_id', { params: { project_id: projectId } }, options),
    },
  };
}

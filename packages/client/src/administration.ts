import type { Call, ChangeOptions, RequestOptions } from './calls/call.ts';
import { listing, type Listing } from './calls/listing.ts';
import type {
  ApiKey,
  AuditEntry,
  IssuedApiKey,
  NewApiKey,
  OwnApiKey,
  ProjectFields,
  RegisteredPlugin,
  Registration,
} from './wire/administration.ts';
import type { PageQuery } from './wire/page.ts';
import type { Project } from './wire/project.ts';

export interface ApiKeys {
  /** Lists the keys that the key of the client could have made. */
  list(query?: PageQuery, options?: RequestOptions): Listing<ApiKey>;
  /** Issues a key. It is not retried if its answer is lost, which has the token. */
  create(key: NewApiKey, options?: ChangeOptions): Promise<IssuedApiKey>;
  revoke(id: number, options?: ChangeOptions): Promise<void>;
}

export interface Plugins {
  list(query?: PageQuery, options?: RequestOptions): Listing<RegisteredPlugin>;
  retrieve(id: number, options?: RequestOptions): Promise<RegisteredPlugin>;
  /** Registers a plugin, or replaces its registration. */
  register(id: number, registration: Registration, options?: ChangeOptions): Promise<RegisteredPlugin>;
  remove(id: number, options?: ChangeOptions): Promise<void>;
}

export interface Administration {
  /** The key of the client. */
  key(options?: RequestOptions): Promise<OwnApiKey>;
  readonly keys: ApiKeys;
  readonly plugins: Plugins;
  /** Lists the administrative changes, newest first. */
  audit(query?: PageQuery, options?: RequestOptions): Listing<AuditEntry>;
  createProject(fields: ProjectFields, options?: ChangeOptions): Promise<Project>;
}

export function administration(call: Call): Administration {
  return {
    key: async (own) => call('retrieveOwnKey', { params: {} }, own),
    keys: {
      list: (query, own) => listing(call, 'listKeys', { params: {}, query }, own),
      create: async (body, own) => call('createKey', { params: {}, body }, own),
      revoke: async (id, own) => call('revokeKey', { params: { key_id: id } }, own),
    },
    plugins: {
      list: (query, own) => listing(call, 'listPlugins', { params: {}, query }, own),
      retrieve: async (id, own) => call('retrievePlugin', { params: { plugin_id: id } }, own),
      register: async (id, body, own) => call('registerPlugin', { params: { plugin_id: id }, body }, own),
      remove: async (id, own) => call('removePlugin', { params: { plugin_id: id } }, own),
    },
    audit: (query, own) => listing(call, 'listAudit', { params: {}, query }, own),
    createProject: async (body, own) => call('createProject', { params: {}, body }, own),
  };
}

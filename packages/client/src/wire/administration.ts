import type { Json } from './json.ts';

export type Scope =
  | 'plugin:read'
  | 'plugin:write'
  | 'plugin_log:write'
  | 'plugin_runtime'
  | 'key:write'
  | 'project:write'
  | 'plugin_registry:write'
  | '*';

/** The client's key. */
export interface OwnApiKey {
  readonly id: number;
  /** All keys of an account share its limits. */
  readonly account_id: number;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Null means all. */
  readonly project_ids: readonly number[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

export interface ApiKey extends OwnApiKey {
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

/** A new key. Its token is returned only here, once. */
export interface IssuedApiKey extends ApiKey {
  readonly token: string;
}

export interface NewApiKey {
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Null means all. Defaults to the projects of the client's key. */
  readonly project_ids?: readonly number[] | null | undefined;
  /** Null means never. Defaults to the expiry of the client's key. */
  readonly expires_at?: string | null | undefined;
}

export interface ProjectFields {
  readonly name: string;
}

export interface PluginField {
  readonly key: string;
  readonly type: 'string' | 'number' | 'boolean' | 'choice' | 'json';
  readonly name?: string | undefined;
  readonly default?: Json | undefined;
  readonly required?: boolean | undefined;
  readonly choices?: readonly string[] | undefined;
  /** Whether values are masked. */
  readonly secret?: boolean | undefined;
  /** Whether browsers may see values. */
  readonly site?: boolean | undefined;
  readonly hint?: string | undefined;
}

export interface RegisteredPlugin {
  readonly id: number;
  readonly name: string;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
  readonly config_schema?: readonly PluginField[] | undefined;
}

type OrNull<T> = T | null | undefined;

export interface Registration {
  readonly name: string;
  readonly description?: OrNull<string>;
  readonly url?: OrNull<string>;
  readonly icon?: OrNull<string>;
  readonly config_schema?:
    | readonly (Omit<PluginField, 'name' | 'hint'> & {
        readonly name?: OrNull<string>;
        readonly hint?: OrNull<string>;
      })[]
    | undefined;
}

/** An administrative change: who made it, when, and what was changed. */
export interface AuditEntry {
  readonly id: number;
  readonly action:
    | 'key_issued'
    | 'key_revoked'
    | 'project_created'
    | 'project_renamed'
    | 'project_quota_changed'
    | 'plugin_registered'
    | 'plugin_removed';
  readonly created_at: string;
  /** `key_id` is null for an operator's command. */
  readonly actor: { readonly key_id: number | null; readonly label: string };
  readonly subject: {
    readonly type: 'key' | 'project' | 'plugin';
    readonly id: number;
    readonly name: string;
  };
  readonly request_id: string | null;
}

import type { PageQuery } from './page.ts';

/** A plugin attached to a project, with its configuration. */
export interface ConfigRecord {
  readonly id: number;
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  /** The configuration as JSON text, with secret values masked. */
  readonly config: string;
  /** The last error that the plugin reported. */
  readonly error: string | null;
  /** The project that the record belongs to. */
  readonly team_id: number;
  /** The registered plugin as JSON text; null if it is not registered. */
  readonly plugin_info: string | null;
  /** The share of the deliveries in the last 24 hours that succeeded, such as `"0.9873"`; null if there were none. */
  readonly delivery_rate_24h: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly deleted: boolean;
}

/** The writable fields. */
export interface RecordChange {
  readonly plugin?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly order?: number | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** True also disables the record, false restores it, and null counts as absent. */
  readonly deleted?: boolean | null | undefined;
}

export interface NewRecord extends RecordChange {
  readonly plugin: number;
}

export interface RecordQuery extends PageQuery {
  /** If true, only deleted records; if false, only others. By default, deleted records are left out. */
  readonly deleted?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  /** Only records that attach this plugin. */
  readonly plugin?: number | undefined;
  /** Only records whose name or description contains this text, ignoring case. There are no wildcards. */
  readonly search?: string | undefined;
  /** The `x-family-version` of an earlier response. Only records that have changed since, including deleted records. */
  readonly changed_since?: string | undefined;
}

/** Moves a record to `order`. If several records attach `plugin`, the other fields identify the record. */
export interface Move extends RecordChange {
  readonly plugin: number;
  readonly order: number;
}

/** New positions by record id. */
export type Positions = Readonly<Record<string, number>>;

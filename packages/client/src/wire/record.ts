import type { PageQuery } from './page.ts';

/** Attaches a plugin to a project. */
export interface ConfigRecord {
  readonly id: number;
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  /** JSON text of the configuration; secret values are masked. */
  readonly config: string;
  /** The last error that the plugin reported. */
  readonly error: string | null;
  /** The project that the record belongs to. */
  readonly team_id: number;
  /** JSON text of the registered plugin; null if it is not registered. */
  readonly plugin_info: string | null;
  /** The share of the deliveries of the last 24 hours that succeeded, such as `"0.9873"`; null if there were none. */
  readonly delivery_rate_24h: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly deleted: boolean;
}

/** The fields that a request may write. */
export interface RecordChange {
  readonly plugin?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly order?: number | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** `true` also disables the record; `false` restores it; null counts as absent. */
  readonly deleted?: boolean | null | undefined;
}

export interface NewRecord extends RecordChange {
  readonly plugin: number;
}

export interface RecordQuery extends PageQuery {
  /** True lists only deleted records; otherwise they are left out. */
  readonly deleted?: boolean | undefined;
  readonly enabled?: boolean | undefined;
  /** Only records that attach this plugin. */
  readonly plugin?: number | undefined;
  /** A part of the name or the description, case-insensitive; no character is a wildcard. */
  readonly search?: string | undefined;
  /** The `x-family-version` of an earlier answer: only what has changed since then, deleted records included. */
  readonly changed_since?: string | undefined;
}

/** Moves a record to `order`. If several records attach `plugin`, the other fields identify the record. */
export interface Move extends RecordChange {
  readonly plugin: number;
  readonly order: number;
}

/** New positions by the ids of their records. */
export type Positions = Readonly<Record<string, number>>;

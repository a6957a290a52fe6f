export interface Project {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  /** If this or one of its limits is null, the default of the service applies. */
  readonly log_quota: LogQuota | null;
}

/** The daily limits of the logs of a project; null means no limit. */
export interface LogQuota {
  readonly entries_per_day: number | null;
  /** The size of the messages of the entries, in UTF-8. */
  readonly bytes_per_day: number | null;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  /** Replaces the whole quota; null restores the default of the service. Requires a key with the scope `*`. */
  readonly log_quota?:
    | Partial<{ readonly [Name in keyof LogQuota]: LogQuota[Name] | undefined }>
    | null
    | undefined;
}

/** The log quota of a project, and its usage for today and the previous 30 days, newest first. */
export interface Usage {
  readonly quota: LogQuota;
  readonly days: readonly {
    /** The date in UTC. */
    readonly day: string;
    readonly entries: number;
    readonly bytes: number;
    readonly over_quota: number;
  }[];
}

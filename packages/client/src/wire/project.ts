export interface Project {
  readonly id: number;
  readonly name: string;
  readonly created_at: string;
  /** Null, and each null in it: the setting of the service. */
  readonly log_quota: LogQuota | null;
}

/** What a project may bring into its logs in a day; null where there is no limit. */
export interface LogQuota {
  readonly entries_per_day: number | null;
  /** Of the messages of the entries, in UTF-8. */
  readonly bytes_per_day: number | null;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  /** Needs a key with the scope `*`. Replaces the quota as a whole; null is the setting of the service. */
  readonly log_quota?:
    | Partial<{ readonly [Name in keyof LogQuota]: LogQuota[Name] | undefined }>
    | null
    | undefined;
}

/** What a project brings into its logs: today and the 30 days before, newest first. */
export interface Usage {
  readonly quota: LogQuota;
  readonly days: readonly {
    /** In UTC. */
    readonly day: string;
    readonly entries: number;
    readonly bytes: number;
    readonly over_quota: number;
  }[];
}

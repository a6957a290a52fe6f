/** A record that a runtime could not apply. */
export interface FailedRecord {
  readonly id: number;
  readonly error: string;
}

/** What a runtime runs. */
export interface RuntimeReport {
  /** The version that it has, or tried to apply. */
  readonly version: string;
  readonly status: 'applied' | 'failed';
  /** Why it failed. */
  readonly error?: string | null | undefined;
  readonly failed?: readonly FailedRecord[] | undefined;
  /** Whatever tells runtimes apart, such as a region. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** A runtime, as it last reported. */
export interface Runtime {
  readonly instance: string;
  readonly version: string;
  /** Whether it has reported within the last 3 minutes. */
  readonly online: boolean;
  readonly status: 'applied' | 'failed';
  readonly error: string | null;
  readonly failed: readonly FailedRecord[];
  readonly labels: Readonly<Record<string, string>>;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

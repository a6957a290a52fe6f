/** A log entry to send. */
export interface LogMessage {
  readonly id?: string | undefined;
  readonly team_id?: number | undefined;
  readonly plugin_id?: number | undefined;
  readonly plugin_config_id: number;
  readonly timestamp?: string | undefined;
  /** Defaults to `PLUGIN`. */
  readonly source?: string | undefined;
  /** Defaults to `LOG`. */
  readonly type?: string | undefined;
  /** Truncated to 50,000 characters by the service. */
  readonly message: string;
  readonly instance_id?: string | undefined;
}

/** The number of deliveries since the last report. Each `id` counts once per record. */
export interface DeliveryMessage {
  readonly kind: 'delivery';
  readonly id: string;
  readonly plugin_config_id: number;
  readonly successes: number;
  readonly successes_on_retry: number;
  readonly failures: number;
  readonly timestamp?: string | undefined;
}

/** The last error of a record; null clears it. */
export interface ErrorMessage {
  readonly kind: 'error';
  readonly plugin_config_id: number;
  readonly error: string | null;
  readonly timestamp?: string | undefined;
}

/** The number of messages by outcome. `dead` counts dead letters, which cannot be stored and are kept for the operator. */
export interface IngestReport {
  readonly stored: number;
  readonly duplicates: number;
  readonly dead: number;
}

/** A log entry as it is sent. */
export interface LogMessage {
  readonly id?: string | undefined;
  readonly team_id?: number | undefined;
  readonly plugin_id?: number | undefined;
  readonly plugin_config_id: number;
  readonly timestamp?: string | undefined;
  /** PLUGIN by default. */
  readonly source?: string | undefined;
  /** LOG by default. */
  readonly type?: string | undefined;
  /** What is longer than 50,000 characters is cut by the service. */
  readonly message: string;
  readonly instance_id?: string | undefined;
}

/** The number of deliveries since the last report. An id is counted once for each record. */
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

/** The number of messages by outcome. Dead letters are messages that can never be stored; the operator sees them. */
export interface IngestReport {
  readonly stored: number;
  readonly duplicates: number;
  readonly dead: number;
}

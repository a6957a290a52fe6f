import type { PageQuery } from './page.ts';

/** The last error of a record, and its time according to the plugin. */
export interface ReportedError {
  /** The id of the record. */
  readonly record: number;
  readonly error: string;
  readonly reported_at: string;
}

export interface ReportedErrorQuery extends PageQuery {
  /** Only the error of the record with this id. */
  readonly record?: number | undefined;
}

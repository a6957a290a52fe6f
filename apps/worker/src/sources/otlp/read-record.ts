import { hash } from 'node:crypto';
import { DomainError, type OtlpLogRecord, type OtlpOrigin } from '@plugin-config/domain';

/** A log record of an export, from either encoding. */
export interface ReadRecord {
  readonly record: OtlpLogRecord;
  readonly origin: OtlpOrigin;
  /** Equal for records with the same resource, scope, content and time to the nanosecond. */
  readonly digest: string;
}

/** An exporter sends hundreds or thousands at a time. */
export const RECORDS_MAX = 50_000;
/** Fields of an export, including skipped fields. In JSON, its values. */
export const EXPORT_FIELDS_MAX = 500_000;
export const NESTING_MAX = 64;

export type Count = () => void;

/** Returns a counter that throws a `DomainError` `too_large` above `max`. */
export function exportCounter(of: string, max = RECORDS_MAX): Count {
  let left = max;
  return () => {
    if (--left < 0) {
      throw new DomainError('too_large', `An export may have at most ${max.toLocaleString('en')} ${of}.`);
    }
  };
}

/** Identifies a resource, scope or record by the sent bytes, which are the same in a retry. */
export function digestOf(sent: string | Buffer, origin = ''): string {
  const digest = hash('sha256', sent, 'hex');
  return origin === '' ? digest : hash('sha256', origin + digest, 'hex');
}

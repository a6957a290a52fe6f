import { hash } from 'node:crypto';
import { DomainError, MESSAGE_TEXT_MAX, type OtlpLogRecord, type OtlpOrigin } from '@plugin-config/domain';

/** A log record of an export, from either encoding. */
export type ReadRecord = WholeRecord | LongRecord;

interface WholeRecord {
  readonly record: OtlpLogRecord;
  readonly origin: OtlpOrigin;
  /** Equal for records with the same resource, scope, content and time to the nanosecond. */
  readonly digest: string;
}

/** A record that is too long to be parsed. It becomes a dead letter. */
export class LongRecord {
  /** The beginning of the sent record, as one line that is too long for a message. */
  readonly line: string;

  constructor(sent: string) {
    this.line = sent
      .slice(0, MESSAGE_TEXT_MAX + 1)
      .replace(/\s/g, ' ')
      .padEnd(MESSAGE_TEXT_MAX + 1);
  }
}

/** In bytes of protobuf, or characters of JSON. */
export const RECORD_MAX = MESSAGE_TEXT_MAX;
/** An exporter sends hundreds or thousands at a time. */
export const RECORDS_MAX = 50_000;
/** Fields of a log record, a resource or a scope, including its nested values. */
const FIELDS_MAX = 10_000;
/** Fields of an export, including skipped fields. In JSON, its values. */
export const EXPORT_FIELDS_MAX = 500_000;
export const NESTING_MAX = 64;

export type Count = () => void;

/** Returns a counter that throws a `DomainError` `too_large` above `max`. */
function counter(max: number, what: string, of: string): Count {
  let left = max;
  return () => {
    if (--left < 0) {
      throw new DomainError('too_large', `${what} may have at most ${max.toLocaleString('en')} ${of}.`);
    }
  };
}

/** Counts the log records of an export, or its resources and scopes. */
export const exportCounter = (of: string, max = RECORDS_MAX): Count => counter(max, 'An export', of);

export const fieldCounter = (): Count => counter(FIELDS_MAX, 'A log record, resource or scope', 'fields');

/** Identifies a resource, scope or record by the sent bytes, which are the same in a retry. */
export function digestOf(sent: string | Buffer, origin = ''): string {
  const digest = hash('sha256', sent, 'hex');
  return origin === '' ? digest : hash('sha256', origin + digest, 'hex');
}

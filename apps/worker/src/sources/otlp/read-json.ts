import {
  InexactNumber,
  isObject,
  OTLP_ATTRIBUTES,
  OtlpBytes,
  otlpMessage,
  readJson,
  type OtlpAttributes,
  type OtlpLogRecord,
  type OtlpValue,
} from '@plugin-config/domain';
import {
  digestOf,
  fieldCounter,
  NESTING_MAX,
  exportCounter,
  LongRecord,
  RECORD_MAX,
  RECORDS_MAX,
  type Count,
  type ReadRecord,
} from './read-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The parts of a log record that are used, with the digest of its text. */
class ReducedRecord {
  readonly record: OtlpLogRecord;
  readonly digest: string;

  constructor(record: OtlpLogRecord, text: string) {
    this.record = record;
    this.digest = digestOf(text);
  }
}

/** The parts of a resource or a scope that are used, with the digest of its text. */
class ReducedOrigin {
  readonly attributes: OtlpAttributes;
  readonly digest: string;

  constructor(attributes: OtlpAttributes, text: string) {
    this.attributes = attributes;
    this.digest = digestOf(text);
  }
}

const NO_ORIGIN = new ReducedOrigin(new Map(), '');
/** The maximum number of values in memory. A log record is reduced as soon as it is parsed. */
const VALUES_MAX = 200_000;
const UINT64_MAX = 2n ** 64n - 1n;
/** The path of a log record. Items of a list have an empty key. */
const RECORD_PATH = 'resourceLogs//scopeLogs//logRecords/';
/** The paths of a resource and a scope, by depth. */
const ORIGIN_PATHS: Readonly<Record<number, string>> = {
  3: 'resourceLogs//resource',
  5: 'resourceLogs//scopeLogs//scope',
};
const RECORD_DEPTH = 6;

/**
 * Parses an `ExportLogsServiceRequest` in JSON, and yields repeatedly to let the caller run other work.
 * @throws SyntaxError
 * @throws DomainError `too_large`
 */
export function* readOtlpJson(text: string): Generator<void, readonly ReadRecord[], void> {
  const countRecord = exportCounter('log records');
  const root = yield* readJson(text, {
    maxValues: VALUES_MAX,
    maxMembers: RECORDS_MAX,
    maxString: RECORD_MAX,
    reduce: (value, { open, text: sent }) => {
      const isAt = (path: string | undefined): boolean => open.map(({ key }) => key).join('/') === path;
      if (!isObject(value)) return value;
      if (open.length === RECORD_DEPTH && isAt(RECORD_PATH)) {
        countRecord();
        const record = sent();
        return record.length > RECORD_MAX
          ? new LongRecord(record)
          : new ReducedRecord(recordOf(value), record);
      }
      return open.length in ORIGIN_PATHS && isAt(ORIGIN_PATHS[open.length])
        ? new ReducedOrigin(attributesOf(value['attributes'], fieldCounter()), sent())
        : value;
    },
  });
  const records: ReadRecord[] = [];
  for (const { resource, scopeLogs } of objectsIn(fieldsOf(root)['resourceLogs'])) {
    const ofResource = originOf(resource);
    for (const { scope, logRecords } of objectsIn(scopeLogs)) {
      yield;
      const ofScope = originOf(scope);
      const origin = { resource: ofResource.attributes, scope: ofScope.attributes };
      const from = ofResource.digest + ofScope.digest;
      for (const reduced of listOf(logRecords)) {
        if (reduced instanceof LongRecord) records.push(reduced);
        else if (!(reduced instanceof ReducedRecord)) throw wrongType('A log record', 'an object');
        else records.push({ record: reduced.record, origin, digest: digestOf(reduced.digest, from) });
      }
    }
  }
  return records;
}

function recordOf({
  timeUnixNano,
  observedTimeUnixNano,
  severityNumber,
  body,
  attributes,
}: Fields): OtlpLogRecord {
  const count = fieldCounter();
  return {
    timeUnixNano: timeOf(timeUnixNano),
    observedTimeUnixNano: timeOf(observedTimeUnixNano),
    severityNumber: Number(integerOf(severityNumber ?? 0)),
    message: otlpMessage(valueOf(body, count)),
    attributes: attributesOf(attributes, count),
  };
}

function originOf(value: unknown): ReducedOrigin {
  if (value == null) return NO_ORIGIN;
  if (value instanceof ReducedOrigin) return value;
  throw wrongType('A resource or scope', 'an object');
}

function attributesOf(value: unknown, count: Count): OtlpAttributes {
  const found = new Map<string, OtlpValue>();
  for (const { key, value: attribute } of objectsIn(value)) {
    count();
    if (typeof key === 'string' && OTLP_ATTRIBUTES.has(key)) found.set(key, valueOf(attribute, count));
  }
  return found;
}

/** Reads an `AnyValue`. */
function valueOf(value: unknown, count: Count, depth = 0): OtlpValue {
  count();
  if (depth > NESTING_MAX) throw new SyntaxError('a value is nested too deeply');
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = fieldsOf(
    value ?? {},
  );
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue != null) return integerOf(intValue);
  if (doubleValue != null) return doubleOf(doubleValue);
  if (typeof bytesValue === 'string') return new OtlpBytes(bytesValue);
  if (arrayValue != null) {
    return listOf(fieldsOf(arrayValue)['values']).map((item) => valueOf(item, count, depth + 1));
  }
  if (kvlistValue == null) return null;
  const members = objectsIn(fieldsOf(kvlistValue)['values']);
  return new Map(members.map(({ key, value: member }) => [String(key), valueOf(member, count, depth + 1)]));
}

function timeOf(value: unknown): bigint {
  const time = integerOf(value ?? 0);
  if (time < 0n || time > UINT64_MAX) throw wrongType('A time', 'nanoseconds since 1970');
  return time;
}

/** Parses an integer, given as a number or a string, without losing digits. */
function integerOf(value: unknown): bigint {
  const digits = value instanceof InexactNumber ? value.source : String(value);
  if (!/^-?\d{1,20}$/.test(digits)) throw wrongType('An integer', 'a number or a string of digits');
  return BigInt(digits);
}

/** Parses a double, given as a number or a string such as `NaN` or `Infinity`. */
function doubleOf(value: unknown): number {
  return Number(value instanceof InexactNumber ? value.source : value);
}

function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).map(fieldsOf);
}

function listOf(value: unknown): readonly unknown[] {
  if (value == null) return [];
  if (Array.isArray(value)) return value;
  throw wrongType('A value', 'a list');
}

function fieldsOf(value: unknown): Fields {
  if (isObject(value)) return value;
  throw wrongType('A value', 'an object');
}

function wrongType(what: string, expected: string): SyntaxError {
  return new SyntaxError(`${what} is not ${expected}.`);
}

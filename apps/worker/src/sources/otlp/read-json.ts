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

/** What is left of a log record, with the digest of its text. */
class ReducedRecord {
  readonly record: OtlpLogRecord;
  readonly digest: string;

  constructor(record: OtlpLogRecord, text: string) {
    this.record = record;
    this.digest = digestOf(text);
  }
}

/** What is left of a resource or a scope. */
class ReducedOrigin {
  readonly attributes: OtlpAttributes;
  readonly digest: string;

  constructor(attributes: OtlpAttributes, text: string) {
    this.attributes = attributes;
    this.digest = digestOf(text);
  }
}

const NO_ORIGIN = new ReducedOrigin(new Map(), '');
/** The most values in memory. A log record is reduced as soon as it is read. */
const VALUES_MAX = 200_000;
const UINT64_MAX = 2n ** 64n - 1n;
/** The keys around a log record; a list has none. */
const AROUND_RECORD = 'resourceLogs//scopeLogs//logRecords/';
/** The keys around a resource or a scope, by their number. */
const AROUND_ORIGIN: Readonly<Record<number, string>> = {
  3: 'resourceLogs//resource',
  5: 'resourceLogs//scopeLogs//scope',
};
const AROUND_RECORD_LENGTH = 6;

/**
 * Reads an `ExportLogsServiceRequest` in JSON, and yields again and again.
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
      const isIn = (around: string | undefined): boolean => open.map(({ key }) => key).join('/') === around;
      if (!isObject(value)) return value;
      if (open.length === AROUND_RECORD_LENGTH && isIn(AROUND_RECORD)) {
        countRecord();
        const record = sent();
        return record.length > RECORD_MAX
          ? new LongRecord(record)
          : new ReducedRecord(recordOf(value), record);
      }
      return open.length in AROUND_ORIGIN && isIn(AROUND_ORIGIN[open.length])
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
        else if (!(reduced instanceof ReducedRecord)) throw notAs('A log record', 'an object');
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
  throw notAs('A resource or scope', 'an object');
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
  if (time < 0n || time > UINT64_MAX) throw notAs('A time', 'nanoseconds since 1970');
  return time;
}

/** An integer as a number or a text, with all its digits. */
function integerOf(value: unknown): bigint {
  const digits = value instanceof InexactNumber ? value.source : String(value);
  if (!/^-?\d{1,20}$/.test(digits)) throw notAs('An integer', 'a number or a text of digits');
  return BigInt(digits);
}

/** A double as a number or a text, which may be `NaN` or `Infinity`. */
function doubleOf(value: unknown): number {
  return Number(value instanceof InexactNumber ? value.source : value);
}

function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).map(fieldsOf);
}

function listOf(value: unknown): readonly unknown[] {
  if (value == null) return [];
  if (Array.isArray(value)) return value;
  throw notAs('A value', 'a list');
}

function fieldsOf(value: unknown): Fields {
  if (isObject(value)) return value;
  throw notAs('A value', 'an object');
}

function notAs(what: string, expected: string): SyntaxError {
  return new SyntaxError(`${what} is not ${expected}.`);
}

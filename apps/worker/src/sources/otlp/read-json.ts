import {
  InexactNumber,
  isObject,
  OTLP_ATTRIBUTES,
  OtlpBytes,
  otlpMessage,
  parseExactly,
  type OtlpAttributes,
  type OtlpLogRecord,
  type OtlpValue,
} from '@plugin-config/domain';
import {
  digestOf,
  EXPORT_FIELDS_MAX,
  NESTING_MAX,
  exportCounter,
  RECORDS_MAX,
  type ReadRecord,
} from './read-record.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Origin {
  readonly attributes: OtlpAttributes;
  readonly digest: string;
}

const NO_ORIGIN: Origin = { attributes: new Map(), digest: '' };
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Parses an `ExportLogsServiceRequest` in JSON.
 * @throws SyntaxError
 * @throws DomainError `too_large`
 */
export function readOtlpJson(text: string, maxRecords = RECORDS_MAX): readonly ReadRecord[] {
  const root = fieldsOf(parseExactly(text, { maxValues: EXPORT_FIELDS_MAX }));
  const records: ReadRecord[] = [];
  const countRecord = exportCounter('log records', maxRecords);
  const countOrigin = exportCounter('resources and scopes', maxRecords);
  for (const { resource, scopeLogs } of objectsIn(root['resourceLogs'])) {
    countOrigin();
    const ofResource = originOf(resource);
    for (const { scope, logRecords } of objectsIn(scopeLogs)) {
      countOrigin();
      const ofScope = originOf(scope);
      const origin = { resource: ofResource.attributes, scope: ofScope.attributes };
      const from = ofResource.digest + ofScope.digest;
      for (const record of objectsIn(logRecords)) {
        countRecord();
        records.push({ record: recordOf(record), origin, digest: digestOf(JSON.stringify(record), from) });
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
  return {
    timeUnixNano: timeOf(timeUnixNano),
    observedTimeUnixNano: timeOf(observedTimeUnixNano),
    severityNumber: Number(integerOf(severityNumber ?? 0)),
    message: otlpMessage(valueOf(body)),
    attributes: attributesOf(attributes),
  };
}

function originOf(value: unknown): Origin {
  if (value == null) return NO_ORIGIN;
  const { attributes } = fieldsOf(value);
  return { attributes: attributesOf(attributes), digest: digestOf(JSON.stringify(value)) };
}

function attributesOf(value: unknown): OtlpAttributes {
  const found = new Map<string, OtlpValue>();
  for (const { key, value: attribute } of objectsIn(value)) {
    if (typeof key === 'string' && OTLP_ATTRIBUTES.has(key)) found.set(key, valueOf(attribute));
  }
  return found;
}

/** Reads an `AnyValue`. */
function valueOf(value: unknown, depth = 0): OtlpValue {
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
    return listOf(fieldsOf(arrayValue)['values']).map((item) => valueOf(item, depth + 1));
  }
  if (kvlistValue == null) return null;
  const members = objectsIn(fieldsOf(kvlistValue)['values']);
  return new Map(members.map(({ key, value: member }) => [String(key), valueOf(member, depth + 1)]));
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

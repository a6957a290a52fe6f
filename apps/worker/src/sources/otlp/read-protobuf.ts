import {
  OTLP_ATTRIBUTES,
  OtlpBytes,
  otlpMessage,
  type OtlpAttributes,
  type OtlpLogRecord,
  type OtlpValue,
} from '@plugin-config/domain';
import { fieldOf, ProtobufReader } from './protobuf-reader.ts';
import {
  digestOf,
  EXPORT_FIELDS_MAX,
  exportCounter,
  NESTING_MAX,
  RECORDS_MAX,
  type Count,
  type ReadRecord,
} from './read-record.ts';

// Field numbers in `opentelemetry/proto/logs/v1/logs.proto` and its imports.
const RESOURCE_LOGS = fieldOf.bytes(1);
const RESOURCE = fieldOf.bytes(1);
const RESOURCE_ATTRIBUTES = fieldOf.bytes(1);
const SCOPE_LOGS = fieldOf.bytes(2);
const SCOPE = fieldOf.bytes(1);
const SCOPE_ATTRIBUTES = fieldOf.bytes(3);
const LOG_RECORDS = fieldOf.bytes(2);
const TIME = fieldOf.fixed64(1);
const SEVERITY_NUMBER = fieldOf.varint(2);
const BODY = fieldOf.bytes(5);
const RECORD_ATTRIBUTES = fieldOf.bytes(6);
const OBSERVED_TIME = fieldOf.fixed64(11);
const KEY = fieldOf.bytes(1);
const VALUE = fieldOf.bytes(2);
const TEXT_VALUE = fieldOf.bytes(1);
const BOOL_VALUE = fieldOf.varint(2);
const INT_VALUE = fieldOf.varint(3);
const DOUBLE_VALUE = fieldOf.fixed64(4);
const LIST_VALUE = fieldOf.bytes(5);
const MAP_VALUE = fieldOf.bytes(6);
const BYTES_VALUE = fieldOf.bytes(7);
/** In a list or a map. */
const VALUES = fieldOf.bytes(1);

const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Parses an `ExportLogsServiceRequest`.
 * @throws SyntaxError
 * @throws DomainError `too_large`
 */
export function readProtobuf(body: Buffer, maxRecords = RECORDS_MAX): readonly ReadRecord[] {
  const records: ReadRecord[] = [];
  const countRecord = exportCounter('log records', maxRecords);
  const countOrigin = exportCounter('resources and scopes', maxRecords);
  const countField = exportCounter('fields', EXPORT_FIELDS_MAX);
  for (const resourceLogs of messagesIn(body, RESOURCE_LOGS, countField)) {
    countOrigin();
    const resource = lastIn(resourceLogs, RESOURCE, countField);
    const ofResource = attributesIn(resource, RESOURCE_ATTRIBUTES, countField);
    const resourceDigest = digestOf(resource);
    for (const scopeLogs of messagesIn(resourceLogs, SCOPE_LOGS, countField)) {
      countOrigin();
      const scope = lastIn(scopeLogs, SCOPE, countField);
      const origin = { resource: ofResource, scope: attributesIn(scope, SCOPE_ATTRIBUTES, countField) };
      const from = resourceDigest + digestOf(scope);
      for (const record of messagesIn(scopeLogs, LOG_RECORDS, countField)) {
        countRecord();
        records.push({ record: readRecord(record, countField), origin, digest: digestOf(record, from) });
      }
    }
  }
  return records;
}

function* messagesIn(message: Buffer, wanted: number, count: Count): Generator<Buffer, void, void> {
  const reader = new ProtobufReader(message, count);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === wanted) yield reader.bytes();
    else reader.skip();
  }
}

/** Returns the message in this field. If the field occurs repeatedly, the last one wins. */
function lastIn(message: Buffer, wanted: number, count: Count): Buffer {
  let last = EMPTY;
  for (const found of messagesIn(message, wanted, count)) last = found;
  return last;
}

/** Reads the fields of a message that have a reader, and skips the others. */
function readFields(
  message: Buffer,
  count: Count,
  readers: Readonly<Record<number, (reader: ProtobufReader) => void>>,
): void {
  const reader = new ProtobufReader(message, count);
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    const read = readers[field];
    if (read === undefined) reader.skip();
    else read(reader);
  }
}

function readRecord(message: Buffer, count: Count): OtlpLogRecord {
  let [timeUnixNano, observedTimeUnixNano, severityNumber] = [0n, 0n, 0n];
  let body: OtlpValue = null;
  const attributes = new Map<string, OtlpValue>();
  readFields(message, count, {
    [TIME]: (reader) => (timeUnixNano = reader.fixed64()),
    [OBSERVED_TIME]: (reader) => (observedTimeUnixNano = reader.fixed64()),
    [SEVERITY_NUMBER]: (reader) => (severityNumber = reader.integer()),
    [BODY]: (reader) => (body = valueOf(reader.bytes(), count)),
    [RECORD_ATTRIBUTES]: (reader) => addAttribute(attributes, reader.bytes(), count),
  });
  return {
    timeUnixNano,
    observedTimeUnixNano,
    severityNumber: Number(severityNumber),
    message: otlpMessage(body),
    attributes,
  };
}

function attributesIn(message: Buffer, wanted: number, count: Count): OtlpAttributes {
  const attributes = new Map<string, OtlpValue>();
  readFields(message, count, { [wanted]: (reader) => addAttribute(attributes, reader.bytes(), count) });
  return attributes;
}

function addAttribute(attributes: Map<string, OtlpValue>, message: Buffer, count: Count): void {
  const [key, value] = memberOf(message, count);
  if (OTLP_ATTRIBUTES.has(key)) attributes.set(key, valueOf(value, count));
}

/** Returns the key of a `KeyValue`, and its value as unparsed bytes. */
function memberOf(message: Buffer, count: Count): readonly [key: string, value: Buffer] {
  let key = EMPTY;
  let value = EMPTY;
  readFields(message, count, {
    [KEY]: (reader) => (key = reader.bytes()),
    [VALUE]: (reader) => (value = reader.bytes()),
  });
  return [key.toString(), value];
}

function valueOf(message: Buffer, count: Count, depth = 0): OtlpValue {
  if (depth > NESTING_MAX) throw new SyntaxError('a value is nested too deeply');
  let value: OtlpValue = null;
  const items = (list: Buffer): Buffer[] => {
    const found: Buffer[] = [];
    readFields(list, count, { [VALUES]: (reader) => found.push(reader.bytes()) });
    return found;
  };
  readFields(message, count, {
    [TEXT_VALUE]: (reader) => (value = reader.bytes().toString()),
    [BOOL_VALUE]: (reader) => (value = reader.integer() !== 0n),
    [INT_VALUE]: (reader) => (value = reader.integer()),
    [DOUBLE_VALUE]: (reader) => (value = reader.double()),
    [BYTES_VALUE]: (reader) => (value = new OtlpBytes(reader.bytes().toString('base64'))),
    [LIST_VALUE]: (reader) => {
      value = items(reader.bytes()).map((item) => valueOf(item, count, depth + 1));
    },
    [MAP_VALUE]: (reader) => {
      const members = items(reader.bytes()).map((item) => memberOf(item, count));
      value = new Map(members.map(([key, member]) => [key, valueOf(member, count, depth + 1)]));
    },
  });
  return value;
}

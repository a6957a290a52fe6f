import type { OtlpEncoding } from '../sources/otlp/otlp-response.ts';

// OpenTelemetry exports, written as JSON and encoded as JSON or protobuf.

export type AnyValue = Readonly<Record<string, unknown>>;

export interface LogRecord {
  readonly timeUnixNano?: string | number;
  readonly observedTimeUnixNano?: string | number;
  readonly severityNumber?: number;
  readonly body?: AnyValue;
  readonly attributes?: readonly KeyValue[];
}

export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

export interface ResourceLogs {
  readonly resource?: { readonly attributes: readonly KeyValue[] };
  readonly scopeLogs: readonly {
    readonly scope?: { readonly name?: string; readonly attributes?: readonly KeyValue[] };
    readonly logRecords: readonly LogRecord[];
  }[];
}

export interface Export {
  readonly resourceLogs: readonly ResourceLogs[];
}

export function anExport(recordId: number, records: readonly LogRecord[]): Export {
  const attributes = [{ key: 'plugin_config.id', value: { intValue: String(recordId) } }];
  return {
    resourceLogs: [
      { resource: { attributes }, scopeLogs: [{ scope: { name: 'tests' }, logRecords: records }] },
    ],
  };
}

export function aLogRecord(given: LogRecord = {}): LogRecord {
  return {
    timeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
    severityNumber: 9,
    body: { stringValue: 'hello' },
    ...given,
  };
}

export const MEDIA: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

export function encodeExport(encoding: OtlpEncoding, value: Export): Buffer {
  return encoding === 'json' ? Buffer.from(JSON.stringify(value)) : protobufOf(value);
}

export function protobufOf({ resourceLogs }: Export): Buffer {
  return all(1, resourceLogs, ({ resource, scopeLogs }) => [
    message(1, resource && attributesOf(1, resource.attributes)),
    all(2, scopeLogs, ({ scope, logRecords }) => [
      message(1, scope && [bytes(1, Buffer.from(scope.name ?? '')), attributesOf(3, scope.attributes ?? [])]),
      all(2, logRecords, (record) => [
        fixed64(1, record.timeUnixNano),
        record.severityNumber === undefined ? [] : [varint(16), varint(record.severityNumber)],
        message(5, record.body && valueOf(record.body)),
        attributesOf(6, record.attributes ?? []),
        fixed64(11, record.observedTimeUnixNano),
      ]),
    ]),
  ]);
}

type Parts = Buffer | readonly Parts[];

function all<T>(field: number, values: readonly T[], encode: (value: T) => Parts): Buffer {
  return join(values.map((value) => bytes(field, join(encode(value)))));
}

function attributesOf(field: number, attributes: readonly KeyValue[]): Buffer {
  return all(field, attributes, ({ key, value }) => [bytes(1, Buffer.from(key)), message(2, valueOf(value))]);
}

function valueOf(value: AnyValue): Parts {
  return Object.entries(value).map(([name, content]) => {
    if (name === 'stringValue') return bytes(1, Buffer.from(content as string));
    if (name === 'boolValue') return [varint(16), varint(content === true ? 1 : 0)];
    if (name === 'intValue') return [varint(24), varint(BigInt(content as string))];
    if (name === 'doubleValue') return [varint(33), doubleOf(content as number)];
    if (name === 'bytesValue') return bytes(7, Buffer.from(content as string, 'base64'));
    if (name === 'arrayValue') {
      return message(5, all(1, (content as { values: AnyValue[] }).values, valueOf));
    }
    return message(6, attributesOf(1, (content as { values: KeyValue[] }).values));
  });
}

function message(field: number, content: Parts | undefined): Buffer {
  return content === undefined ? Buffer.alloc(0) : bytes(field, join(content));
}

export function bytes(field: number, content: Buffer): Buffer {
  return join([varint((field << 3) | 2), varint(content.length), content]);
}

function fixed64(field: number, value: string | number | undefined): Parts {
  if (value === undefined) return [];
  const encoded = Buffer.alloc(8);
  encoded.writeBigUInt64LE(BigInt(value));
  return [varint((field << 3) | 1), encoded];
}

function doubleOf(value: number): Buffer {
  const encoded = Buffer.alloc(8);
  encoded.writeDoubleLE(value);
  return encoded;
}

export function varint(value: number | bigint): Buffer {
  const encoded: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 0x80n; rest >>= 7n) encoded.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...encoded, Number(rest)]);
}

function join(parts: Parts): Buffer {
  return Buffer.isBuffer(parts) ? parts : Buffer.concat(parts.map(join));
}

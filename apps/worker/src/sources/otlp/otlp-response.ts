import { JSON_UTF8, type TypedBody, type Problem } from '@plugin-config/server';
import type { IngestReport } from '@plugin-config/domain';

/** The encodings of OTLP over HTTP. A response uses the encoding of its request. */
export type OtlpEncoding = 'protobuf' | 'json';

const PROTOBUF = 'application/x-protobuf';
const UNKNOWN = 2;
/** `google.rpc.Code` by HTTP status. */
const CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  413: 3,
  415: 3,
  429: 8,
  500: 13,
  503: 14,
};
const REJECTED =
  'Some log records were rejected and stored as dead letters. A log record needs a time within the log retention, and the ' +
  'attribute plugin_config.id with the id of a plugin config that the key may write to, and its project needs room in its log quota.';

/** Encodes an `ExportLogsServiceResponse`. It has `partialSuccess` only if log records were rejected. */
export function otlpResponse(encoding: OtlpEncoding, { dead }: IngestReport): TypedBody {
  if (encoding === 'json') {
    return jsonBody(
      dead === 0 ? {} : { partialSuccess: { rejectedLogRecords: String(dead), errorMessage: REJECTED } },
    );
  }
  const partialSuccess = Buffer.concat([varintField(1, dead), bytesField(2, Buffer.from(REJECTED))]);
  return protobufBody(dead === 0 ? Buffer.alloc(0) : bytesField(1, partialSuccess));
}

/** Encodes a `google.rpc.Status`. */
export function otlpStatus(encoding: OtlpEncoding, { status, detail, attr }: Problem): TypedBody {
  const code = CODES[status] ?? UNKNOWN;
  const message = attr === null ? detail : `${attr}: ${detail}`;
  if (encoding === 'json') return jsonBody({ code, message });
  return protobufBody(Buffer.concat([varintField(1, code), bytesField(2, Buffer.from(message))]));
}

function jsonBody(value: object): TypedBody {
  return { type: JSON_UTF8, bytes: Buffer.from(JSON.stringify(value)) };
}

function protobufBody(bytes: Buffer): TypedBody {
  return { type: PROTOBUF, bytes };
}

function varintField(number: number, value: number): Buffer {
  return Buffer.from([number << 3, ...varint(value)]);
}

function bytesField(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), content]);
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

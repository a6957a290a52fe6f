import { DomainError } from '@plugin-config/domain';
import { otlpLines } from './otlp-lines.ts';
import type { OtlpEncoding } from './otlp-response.ts';
import { readOtlpJson } from './read-json.ts';
import { readProtobuf } from './read-protobuf.ts';

export interface EncodedExport {
  readonly encoding: OtlpEncoding;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly receivedAt: Date;
}

/** A resource is repeated in each of its entries. */
const DECODED_MAX_BYTES = 32 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Converts an export to blocks of NDJSON.
 * @throws SyntaxError
 * @throws DomainError `too_large` for more than `maxRecords`, too many fields, or too many bytes
 */
export function decodeExport(
  { encoding, body, receivedAt }: EncodedExport,
  maxRecords?: number,
): readonly Uint8Array<ArrayBuffer>[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const records =
    encoding === 'json' ? readOtlpJson(textOf(bytes), maxRecords) : readProtobuf(bytes, maxRecords);
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  let decodedBytes = 0;
  for (const block of otlpLines(records, receivedAt)) {
    decodedBytes += block.length;
    if (decodedBytes > DECODED_MAX_BYTES) {
      throw new DomainError('too_large', 'The log records with their resources take more than 32 MiB.');
    }
    blocks.push(block);
  }
  return blocks;
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new SyntaxError('The body is not valid UTF-8.');
  }
}

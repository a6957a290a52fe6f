import type { IncomingHttpHeaders } from 'node:http';
import { isUtf8, unsupportedMediaType } from '@plugin-config/server';

const NDJSON = /^\s*application\/x-ndjson\s*(?:;|$)/i;
const ENCODINGS = new Set<unknown>([undefined, 'identity', 'gzip', 'x-gzip']);

/** Rejects bodies that are not NDJSON in UTF-8, uncompressed or gzipped. */
export function checkNdjson(headers: IncomingHttpHeaders): void {
  if (!NDJSON.test(headers['content-type'] ?? '') || !isUtf8(headers)) {
    throw unsupportedMediaType('The body must be NDJSON in UTF-8: "Content-Type: application/x-ndjson".');
  }
  checkContentEncoding(headers);
}

/** Rejects bodies that are compressed by anything but gzip. */
export function checkContentEncoding({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (!ENCODINGS.has(encoding?.toLowerCase())) {
    throw unsupportedMediaType('A compressed body must use gzip: "Content-Encoding: gzip".');
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import { unsupportedMediaType, type HttpProblem } from '@plugin-config/server';

const NDJSON = /^\s*application\/x-ndjson\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const ENCODINGS = new Set<unknown>([undefined, 'identity', 'gzip', 'x-gzip']);

/** Refuses bodies that are not NDJSON in UTF-8, plain or gzipped. */
export function checkMedia(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'] ?? '';
  const charset = CHARSET.exec(type)?.[1] ?? 'utf-8';
  if (!NDJSON.test(type) || !/^utf-?8$/i.test(charset)) throw notNdjson();
  if (!ENCODINGS.has(headers['content-encoding']?.toLowerCase())) {
    throw unsupportedMediaType('A packed body must be packed by gzip: "Content-Encoding: gzip".');
  }
}

function notNdjson(): HttpProblem {
  return unsupportedMediaType(
    'The body must be lines of JSON in UTF-8: "Content-Type: application/x-ndjson".',
  );
}

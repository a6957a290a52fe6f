import { DomainError, parseExactly, SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import {
  accountOf,
  bodyIncomplete,
  hasBody,
  isUtf8,
  parseError,
  readBody,
  REQUEST_BYTES,
  takeMemory,
  unsupportedMediaType,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const BODY_MAX_BYTES = 1024 * 1024;
/** Limits the number of values in a body: an empty object takes 2 bytes as text and 56 in memory. */
const BYTES_PER_VALUE = 32;
const EXPECTED_TYPE = 'A request body must be JSON in UTF-8: "Content-Type: application/json".';
const REASON_MAX_LENGTH = 200;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An unparsed body. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  /** Parses the body; an empty one is `{}`. */
  parse(options: ParseOptions): unknown;
}

interface ParseOptions {
  /** Rejects objects with duplicate keys. */
  readonly uniqueKeys: boolean;
}

const EMPTY: ReceivedBody = { bytes: Buffer.alloc(0), parse: () => ({}) };

/** Receives a body and reserves its memory until the response is sent. Rejects types other than JSON, unless the body is empty. */
export async function receiveBody(request: FastifyRequest, reply: FastifyReply): Promise<ReceivedBody> {
  if (!hasBody(request)) return EMPTY;
  if (reply.raw.destroyed) throw bodyIncomplete();
  const reservation = request.server.gate.memory.reservation(accountOf(request));
  reply.raw.once('close', reservation.release);
  const take = (bytes: number): void => takeMemory(reservation, bytes);
  take(REQUEST_BYTES);
  const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '');
  const { bodyLimit } = request.routeOptions;
  // Requests without a key may only send a small body.
  const maxBytes = request.access === null ? SMALL_CHANGE_BYTES : bodyLimit;
  const pieces = await readBody(request, isJson ? { maxBytes, take } : MUST_BE_EMPTY);
  const [first = EMPTY.bytes] = pieces;
  const bytes = pieces.length > 1 ? Buffer.concat(pieces) : first;
  if (bytes.length === 0) return EMPTY;
  const maxValues = Math.floor(bodyLimit / BYTES_PER_VALUE);
  return { bytes, parse: ({ uniqueKeys }) => parsed(textOf(request, bytes), { maxValues, uniqueKeys }) };
}

const MUST_BE_EMPTY = {
  maxBytes: Infinity,
  take: () => {
    throw unsupportedMediaType(EXPECTED_TYPE);
  },
};

/** @throws HttpProblem if the body is encoded or not UTF-8 */
function textOf({ headers }: FastifyRequest, bytes: Buffer): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('A request body must not be encoded.');
  if (!isUtf8(headers)) throw unsupportedMediaType(EXPECTED_TYPE);
  return decode(bytes);
}

function parsed(text: string, options: ParseOptions & { readonly maxValues: number }): unknown {
  try {
    return parseExactly(text, options);
  } catch (error) {
    throw error instanceof DomainError ? error : parseError(reasonOf(error));
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw parseError('the body is not valid UTF-8');
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'the body is not valid JSON';
  return reason.length > REASON_MAX_LENGTH ? `${reason.slice(0, REASON_MAX_LENGTH)}…` : reason;
}

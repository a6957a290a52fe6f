import { DomainError, parseExactly, readJson, SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import { inSlices } from '@plugin-config/flow';
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
  untilHangUp,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const BODY_MAX_BYTES = 1024 * 1024;
/** A parsed configuration takes up to this many times the memory of its text. */
const PARSED_FACTOR = 4;
/** Limits the number of values in a body: an empty object takes 2 bytes as text and 56 in memory. */
const BYTES_PER_VALUE = 20;
const EXPECTED_TYPE = 'A request body must be JSON in UTF-8: "Content-Type: application/json".';
const REASON_MAX_LENGTH = 200;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An unparsed body. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly isLarge: boolean;
  /** Parses the body; an empty one is `{}`. Reserves more memory for a large body until the response is sent. */
  parse(options: ParseOptions): unknown;
}

interface ParseOptions {
  /** Rejects objects with duplicate keys. */
  readonly uniqueKeys: boolean;
}

const EMPTY: ReceivedBody = { bytes: Buffer.alloc(0), isLarge: false, parse: () => ({}) };

/** Receives a body and reserves its memory until the response is sent. Rejects types other than JSON, unless the body is empty. */
export async function receiveBody(request: FastifyRequest, reply: FastifyReply): Promise<ReceivedBody> {
  if (!hasBody(request)) return EMPTY;
  if (reply.raw.destroyed) throw bodyIncomplete();
  const reservation = request.server.memory.reservation(accountOf(request));
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
  const isLarge = bytes.length > SMALL_CHANGE_BYTES;
  return {
    bytes,
    isLarge,
    parse: ({ uniqueKeys }) => {
      if (isLarge) take(PARSED_FACTOR * bytes.length);
      const text = textOf(request, bytes);
      if (!isLarge && !uniqueKeys) return parsed(text);
      const maxValues = Math.floor(bodyLimit / BYTES_PER_VALUE);
      return inSlices(readJson(text, { maxValues, uniqueKeys }), untilHangUp(reply)).catch(throwParseError);
    },
  };
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

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    return throwParseError(error);
  }
}

function throwParseError(error: unknown): never {
  throw error instanceof DomainError ? error : parseError(reasonOf(error));
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

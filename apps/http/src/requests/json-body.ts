import { DomainError, parseExactly, readJson, SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import { inSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';
import {
  accountOf,
  bodyIncomplete,
  hasBody,
  parseError,
  readBody,
  REQUEST_BYTES,
  takeMemory,
  unsupportedMediaType,
} from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const BODY_MAX_BYTES = 1024 * 1024;
/** A configuration takes up to this many times more memory parsed than as text. */
const PARSED_FACTOR = 4;
/** The fewest bytes that a body may have room for, for each of its values: an object takes 56 in memory. */
const BYTES_PER_VALUE = 20;
const EXPECTED_TYPE = 'A request body must be JSON in UTF-8: "Content-Type: application/json".';
const SHOWN_MAX = 200;
const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body that is not parsed yet. */
export interface ReceivedBody {
  readonly bytes: Buffer;
  readonly isLarge: boolean;
  /** Parses JSON in UTF-8; an empty body counts as `{}`. A large body takes more memory until the response is sent. */
  parse(options: ParseOptions): unknown;
}

interface ParseOptions {
  /** True if a body that repeats a key is rejected. */
  readonly keysOnce: boolean;
}

const EMPTY: ReceivedBody = { bytes: Buffer.alloc(0), isLarge: false, parse: () => ({}) };

/**
 * Receives a body and reserves its memory until the response is sent. Rejects other types than JSON, but a body of
 * another type that is empty is as good as any.
 */
export async function receiveBody(request: FastifyRequest, reply: FastifyReply): Promise<ReceivedBody> {
  if (!hasBody(request)) return EMPTY;
  if (reply.raw.destroyed) throw bodyIncomplete();
  const reservation = request.server.memory.reservation(accountOf(request));
  reply.raw.once('close', reservation.release);
  const take = (bytes: number): void => takeMemory(reservation, bytes);
  take(REQUEST_BYTES);
  const isJson = JSON_TYPE.test(request.headers['content-type'] ?? '');
  const { bodyLimit } = request.routeOptions;
  // Without a key, only a small body is taken.
  const maxBytes = request.access === null ? SMALL_CHANGE_BYTES : bodyLimit;
  const pieces = await readBody(request, isJson ? { maxBytes, take } : NO_CONTENT);
  const [first = EMPTY.bytes] = pieces;
  const bytes = pieces.length > 1 ? Buffer.concat(pieces) : first;
  if (bytes.length === 0) return EMPTY;
  const isLarge = bytes.length > SMALL_CHANGE_BYTES;
  return {
    bytes,
    isLarge,
    parse: ({ keysOnce }) => {
      if (isLarge) take(PARSED_FACTOR * bytes.length);
      const text = textOf(request, bytes);
      if (!isLarge && !keysOnce) return parsed(text);
      // In slices: a large body, and one in which no key may occur twice.
      const maxValues = Math.floor(bodyLimit / BYTES_PER_VALUE);
      return inSlices(readJson(text, { maxValues, keysOnce }), timeSlices()).catch(misread);
    },
  };
}

const NO_CONTENT = {
  maxBytes: Infinity,
  take: () => {
    throw unsupportedMediaType(EXPECTED_TYPE);
  },
};

/** The text of a body that is plain UTF-8. */
function textOf({ headers }: FastifyRequest, bytes: Buffer): string {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('A request body must not be encoded.');
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupportedMediaType(EXPECTED_TYPE);
  return decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    return misread(error);
  }
}

function misread(error: unknown): never {
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
  return reason.length > SHOWN_MAX ? `${reason.slice(0, SHOWN_MAX)}…` : reason;
}

import { DomainError, parseExactly, readJson, SMALL_CHANGE_BYTES } from '@plugin-config/domain';
import { inSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';
import { accountOf, bodyAborted, parseError, takeMemory, unsupportedMediaType } from '@plugin-config/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if a body that repeats a key is refused. */
    keysOnce?: boolean;
  }
}

export const BODY_MAX_BYTES = 1024 * 1024;
/** Counted for each request beside its body, so that the requests of one key cannot take all connections. */
const REQUEST_BYTES = 32 * 1024;
/** A configuration takes up to this many times more memory parsed than as text. */
const PARSED_FACTOR = 4;
/** The fewest bytes that a body may have room for, for each of its values: an object takes 56 in memory. */
const BYTES_PER_VALUE = 20;
const EXPECTED_TYPE = 'A request body must be JSON in UTF-8: "Content-Type: application/json".';
const SHOWN_MAX = 200;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A large body, which is parsed once its request has passed the gate. */
export class UnparsedBody {
  readonly parse: () => Promise<unknown>;

  constructor(parse: () => Promise<unknown>) {
    this.parse = parse;
  }
}

/** Parses JSON bodies in UTF-8 and refuses all others. An empty body counts as `{}`. */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyDigest', '');
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const received = await receiveBody(request, request.routeOptions.bodyLimit);
    if (received === null) return {};
    const { body, take } = received;
    request.routeOptions.config.noteBody?.(request, body);
    if (body.length <= SMALL_CHANGE_BYTES) return parseBody(request, body);
    return new UnparsedBody(async () => {
      take(PARSED_FACTOR * body.length);
      return parseBody(request, body);
    });
  });
  app.addContentTypeParser('*', refuseOtherTypes);
}

/** Refuses a body. A request of another type without one is as good as any. */
async function refuseOtherTypes({ raw }: FastifyRequest): Promise<object> {
  await raw.arriving?.admit({ maxBytes: Infinity, take: refuseContent });
  return {};
}

interface ReceivedBody {
  readonly body: Buffer;
  /** Reserves more memory until the request is answered. */
  readonly take: (bytes: number) => void;
}

/** Receives a body within its limits; null if there is none. */
async function receiveBody(request: FastifyRequest, most: number): Promise<ReceivedBody | null> {
  const { arriving } = request.raw;
  if (arriving === undefined) return null;
  if (arriving.answer.destroyed) throw bodyAborted();
  const reservation = request.server.memory.reservation(accountOf(request));
  arriving.answer.on('close', reservation.release);
  const take = (bytes: number): void => takeMemory(reservation, bytes);
  take(REQUEST_BYTES);
  // Without a key, only a small body is taken.
  const maxBytes = request.access === null ? SMALL_CHANGE_BYTES : most;
  return { body: Buffer.concat(await arriving.admit({ maxBytes, take })), take };
}

function refuseContent(bytes: number): void {
  if (bytes > 0) throw unsupportedMediaType(EXPECTED_TYPE);
}

/** Parses a large body in slices, and so one in which no key may occur twice. */
function parseBody(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0) return {};
  const text = textOf(request, body);
  const { bodyLimit, config } = request.routeOptions;
  const { keysOnce = false } = config;
  if (body.length <= SMALL_CHANGE_BYTES && !keysOnce) return parsed(text);
  const maxValues = Math.floor(bodyLimit / BYTES_PER_VALUE);
  return inSlices(readJson(text, { maxValues, keysOnce }), timeSlices()).catch(misread);
}

/** The text of a body that is plain UTF-8. */
function textOf(request: FastifyRequest, body: Buffer): string {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType('A request body must not be encoded.');
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupportedMediaType(EXPECTED_TYPE);
  return decode(body);
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

function decode(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw parseError('the body is not valid UTF-8');
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : 'the body is not valid JSON';
  return reason.length > SHOWN_MAX ? `${reason.slice(0, SHOWN_MAX)}…` : reason;
}

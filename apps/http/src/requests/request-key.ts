import { createHmac, hash } from 'node:crypto';
import { idIn, type Endpoint, type PathParams } from '@plugin-config/contract';
import {
  checkIdempotencyKey,
  DomainError,
  rejectUnusedKey,
  requireSameBody,
  type FamilyRef,
  type RequestKey,
} from '@plugin-config/domain';
import { oneAtATime } from '@plugin-config/flow';
import { nodeTimer } from '@plugin-config/flow/node';
import { accessOf } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

const HEADER = 'idempotency-key';
const REPLAYED = 'idempotent-replayed';

function hasIdempotencyKey({ headers }: FastifyRequest): boolean {
  return headers[HEADER] !== undefined;
}

/** Rejects a key where it would have no effect. */
export function checkRequestKey({ idempotent }: Endpoint, { headers }: FastifyRequest): void {
  if (idempotent !== true) rejectUnusedKey(headers);
}

/** The digests of the bodies of requests with a key. */
const digests = new WeakMap<FastifyRequest, string>();

/**
 * Stores the digest of the body if the request has a key. Bodies can contain secrets, which a plain digest would help to guess.
 * The digest is therefore keyed with the text of the key, of which only a hash is stored.
 */
export function setBodyDigest(request: FastifyRequest, bytes: Buffer): void {
  if (!hasIdempotencyKey(request)) return;
  const hmac = createHmac('sha256', String(request.headers[HEADER]));
  digests.set(request, hmac.update(bytes).digest('base64url'));
}

/**
 * Returns the key of the request, scoped to the API key and the resource; undefined if it has none.
 * @throws DomainError `invalid_input` if it is malformed
 */
export function requestKeyOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { path }: Endpoint,
  family: FamilyRef | null,
): RequestKey | undefined {
  if (!hasIdempotencyKey(request)) return undefined;
  const values = request.raw.headersDistinct[HEADER] ?? [];
  const [text = ''] = values.length === 1 ? values : [];
  checkIdempotencyKey(text);
  const { caller, projectId, record } = accessOf(request);
  const revision = idIn(request.params as PathParams, 'revision');
  const target = [
    caller,
    projectId,
    family?.family,
    record?.id,
    path,
    ...(revision === null ? [] : [revision]),
  ];
  const name = hash('sha256', `${target.join(' ')} ${text}`, 'base64url');
  const digest = digests.get(request) ?? '';
  const repeat = (first: string): void => {
    requireSameBody(digest, first);
    reply.header(REPLAYED, 'true');
  };
  return { name, digest, repeat };
}

/** Takes the mark of a repeated response from the response to an error. */
export async function replaying(reply: FastifyReply, respond: () => Promise<void>): Promise<void> {
  try {
    await respond();
  } catch (error) {
    reply.removeHeader(REPLAYED);
    throw error;
  }
}

/** Whether the response repeats the one to an earlier request with the same key. */
export function isReplayed(reply: FastifyReply): boolean {
  return reply.hasHeader(REPLAYED);
}

/**
 * Runs the requests of each key in turn: a repeated request finds the response to the first. Without it, repeated requests in one
 * process would wait for the family on a connection each.
 */
export const inTurnPerKey = () => oneAtATime<void>({ timer: nodeTimer, rejection: inFlight });

function inFlight(): DomainError {
  return new DomainError(
    'idempotency_in_flight',
    'The first request with this key is still running. Repeat the request later with the same key.',
    { retryAfterSeconds: 1 },
  );
}

import { rejectDryRun } from '@plugin-config/contract';
import {
  ownerOfKey,
  rejectUnusedKey,
  type KeyGrant,
  type MessageOrigin,
  type Randomness,
} from '@plugin-config/domain';
import type { Reservation } from '@plugin-config/flow';
import { accessOf, accountOf, hasBody, passGate, REQUEST_BYTES, takeMemory } from '@plugin-config/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sender } from './push-source.ts';
import { receiveBody } from './receive-body.ts';

export interface ReceivedPush {
  readonly body: readonly Buffer[];
  readonly sender: Sender;
  /** The memory of the push. Released when it ends. */
  readonly reservation: Reservation;
}

interface Options {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly randomness: Randomness;
  /** Rejects unsupported media types. */
  readonly checkMedia: (headers: FastifyRequest['headers']) => void;
}

export const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** Receives the body of a push, and handles it after the gate. A missing body counts as empty. */
export async function receivePush(
  { request, reply, randomness, checkMedia }: Options,
  handle: (push: ReceivedPush) => Promise<void>,
): Promise<void> {
  rejectDryRun(request.query);
  rejectUnusedKey(request.headers);
  const { key, at } = accessOf(request);
  const tenant = accountOf(request);
  const reservation = request.server.gate.memory.reservation(tenant);
  const take = (bytes: number): void => takeMemory(reservation, bytes);
  try {
    take(REQUEST_BYTES);
    const isEmpty = !hasBody(request);
    if (!isEmpty) checkMedia(request.headers);
    const limits = { maxBytes: BODY_MAX_BYTES, take, give: reservation.give };
    const body = isEmpty ? [] : await receiveBody(request, reply, limits);
    const sender = {
      origin: originOf(key, at, randomness.uuid()),
      tenant,
      onEnd: (listener: () => void) => void reply.raw.once('close', listener),
    };
    await passGate(request, reply, 'request', () => handle({ body, sender, reservation }));
  } finally {
    reservation.release();
  }
}

function originOf(key: KeyGrant, receivedAt: Date, pushId: string): MessageOrigin {
  const { projectIds, pluginIds } = key;
  return {
    channel: 'http',
    receivedAt,
    streamTime: null,
    projectIds,
    pluginIds,
    owner: ownerOfKey(key),
    pushId,
    deadLetterId: null,
  };
}

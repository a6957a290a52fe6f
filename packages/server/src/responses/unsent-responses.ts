import type { Reservation } from '@plugin-config/flow';
import type { FastifyReply } from 'fastify';
import { accountOf } from '../access/access.ts';
import type { Gate } from '../gate/gate.ts';
import { takeMemory } from '../gate/memory.ts';

/** Reserves the memory of large responses until they are sent. */
export interface UnsentResponses {
  /**
   * Reserves memory until the response is sent or its connection is closed. Responses that share a body reserve it once.
   * @throws DomainError like `takeMemory`
   */
  reserve(reply: FastifyReply, body: Buffer | number): void;
}

interface SharedBody {
  readonly reservation: Reservation;
  responses: number;
}

export function unsentResponses({ memory }: Pick<Gate, 'memory'>): UnsentResponses {
  const bodies = new Map<Buffer, SharedBody>();
  const take = (reply: FastifyReply, bytes: number): Reservation => {
    const reservation = memory.reservation(accountOf(reply.request));
    takeMemory(reservation, bytes);
    return reservation;
  };
  const reserveBody = (reply: FastifyReply, body: Buffer): (() => void) => {
    const shared = bodies.get(body) ?? { reservation: take(reply, body.length), responses: 0 };
    bodies.set(body, shared);
    shared.responses++;
    return () => {
      if (--shared.responses > 0) return;
      bodies.delete(body);
      shared.reservation.release();
    };
  };
  return {
    reserve(reply, body) {
      if (reply.raw.destroyed) return;
      const release = typeof body === 'number' ? take(reply, body).release : reserveBody(reply, body);
      reply.raw.once('close', release);
    },
  };
}

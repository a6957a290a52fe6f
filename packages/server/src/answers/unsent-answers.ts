import { DomainError } from '@plugin-config/domain';
import { byteBudget, type ByteReservation } from '@plugin-config/flow';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    readonly unsent: UnsentAnswers;
  }
}

/** Bounds the memory of large answers that are not completely sent, in total and for each tenant. */
export interface UnsentAnswers {
  readonly bytes: number;
  /**
   * Reserves memory until the answer is sent or its connection is closed. Answers that share a body reserve it once.
   * @throws DomainError `busy` if the unsent answers of the tenant, or of all tenants, take too much memory
   */
  reserve(reply: FastifyReply, memory: Buffer | number): void;
}

interface Options {
  readonly bytes: number;
  /** The most bytes of one tenant. */
  readonly share: number;
}

interface SharedBody {
  readonly reservation: ByteReservation;
  answers: number;
}

export function unsentAnswers(options: Options): UnsentAnswers {
  const budget = byteBudget<number | undefined>(options);
  const bodies = new Map<Buffer, SharedBody>();
  const take = (reply: FastifyReply, bytes: number): ByteReservation => {
    const reservation = budget.reservation(reply.request.raw.tenant);
    if (reservation.take(bytes) !== 'granted') throw tooMuchUnsent();
    return reservation;
  };
  const reserveBody = (reply: FastifyReply, body: Buffer): (() => void) => {
    const shared = bodies.get(body) ?? { reservation: take(reply, body.length), answers: 0 };
    bodies.set(body, shared);
    shared.answers++;
    return () => {
      if (--shared.answers > 0) return;
      bodies.delete(body);
      shared.reservation.release();
    };
  };
  return {
    get bytes() {
      return budget.used;
    },
    reserve(reply, memory) {
      if (reply.raw.destroyed) return;
      const release = typeof memory === 'number' ? take(reply, memory).release : reserveBody(reply, memory);
      reply.raw.once('close', release);
    },
  };
}

function tooMuchUnsent(): DomainError {
  return new DomainError(
    'busy',
    'Too many large answers have not been read yet. Read them or close their connections, then ask again.',
    { retryAfterSeconds: 2 },
  );
}

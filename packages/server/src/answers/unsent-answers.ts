import { byteBudget, DomainError, type ByteClaim } from '@plugin-config/domain';
import type { FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    readonly unsent: UnsentAnswers;
  }
}

/** Bounds the memory of answers that are not read yet, in total and for each holder. */
export interface UnsentAnswers {
  readonly bytes: number;
  /**
   * Claims memory until the answer is sent or its connection is closed. Answers that share a body claim it once.
   * @throws DomainError `busy` if the unread answers of the holder, or of all holders, take too much
   */
  claim(reply: FastifyReply, memory: Buffer | number): void;
}

interface Options {
  readonly bytes: number;
  /** The most bytes of one holder. */
  readonly share: number;
}

interface SharedBody {
  readonly claim: ByteClaim;
  answers: number;
}

export function unsentAnswers(options: Options): UnsentAnswers {
  const budget = byteBudget<number | undefined>(options);
  const bodies = new Map<Buffer, SharedBody>();
  const take = (reply: FastifyReply, bytes: number): ByteClaim => {
    const claim = budget.claim(reply.request.raw.holder);
    if (claim.take(bytes) !== 'granted') throw tooMuchUnread();
    return claim;
  };
  const claimBody = (reply: FastifyReply, body: Buffer): (() => void) => {
    const shared = bodies.get(body) ?? { claim: take(reply, body.length), answers: 0 };
    bodies.set(body, shared);
    shared.answers++;
    return () => {
      if (--shared.answers > 0) return;
      bodies.delete(body);
      shared.claim.release();
    };
  };
  return {
    get bytes() {
      return budget.used;
    },
    claim(reply, memory) {
      if (reply.raw.destroyed) return;
      const release = typeof memory === 'number' ? take(reply, memory).release : claimBody(reply, memory);
      reply.raw.once('close', release);
    },
  };
}

function tooMuchUnread(): DomainError {
  return new DomainError(
    'busy',
    'Too many large answers have not been read yet. Read them or close their connections, then ask again.',
    { retryAfterSeconds: 2 },
  );
}

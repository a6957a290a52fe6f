import type { ServerResponse } from 'node:http';
import { DomainError } from '@plugin-config/domain';
import type { StopSignal, TimeSlices } from '@plugin-config/flow';
import { timeSlices } from '@plugin-config/flow/node';
import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the connection of the caller is closed. */
export function hangUpSignal(response: ServerResponse): StopSignal {
  return {
    get aborted() {
      return response.destroyed;
    },
    addEventListener: (_type, listener) => void response.on('close', listener),
    removeEventListener: (_type, listener) => void response.off('close', listener),
  };
}

/** Returns time slices for work that only the caller needs. Once the caller has hung up, they throw. */
export function untilHangUp({ raw }: FastifyReply): TimeSlices {
  const { isDue, yieldTurn } = timeSlices();
  return {
    isDue,
    yieldTurn: async () => {
      await yieldTurn();
      if (raw.destroyed) throw new DomainError('unavailable', 'The caller has hung up.');
    },
  };
}

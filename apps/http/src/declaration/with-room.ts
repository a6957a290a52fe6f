import type { ManagedRecords } from '@plugin-config/domain';
import { jsonInSlices, reserveIfLarge } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/** Stores a change only if its answer, which is hardly longer than the outcome, has room among the unsent ones. */
export function withRoom(managed: ManagedRecords, reply: FastifyReply): ManagedRecords {
  return {
    ...managed,
    lock: (scope, work, patience) =>
      managed.lock(
        scope,
        async (locked) => {
          const outcome = await work(locked);
          reserveIfLarge(reply, (await jsonInSlices(outcome)).length);
          return outcome;
        },
        patience,
      ),
  };
}

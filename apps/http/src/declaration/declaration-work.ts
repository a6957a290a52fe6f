import type { ExportInput } from '@plugin-config/domain';
import { FAMILIES } from '@plugin-config/domain/vocabulary';
import type { WorkThread } from '@plugin-config/flow/node';
import { accountOf, deadlineOf, hangUpSignal } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { declarationTasks } from './declaration-tasks.ts';

/** Smaller documents take less than 20 ms. */
const SMALL_RECORDS = 100;
const SMALL_BYTES = 64 * 1024;

/** Returns the work for one request. It runs on the thread unless it is small. */
export function declarationWork(thread: WorkThread, { request, raw }: FastifyReply) {
  const sentBytes = request.body === undefined ? 0 : Number(request.headers['content-length'] ?? Infinity);
  const { plan, planJson, exportJson } = declarationTasks;
  const running =
    <Input extends Pick<ExportInput, 'state'>, Output>(
      name: keyof typeof declarationTasks,
      task: (input: Input) => Output,
    ) =>
    async (input: Input): Promise<Output> => {
      if (sentBytes <= SMALL_BYTES && isSmall(input)) return task(input);
      const result = await thread.run({
        tenant: accountOf(request),
        name,
        input: () => ({ value: input }),
        until: { remainingMs: deadlineOf(request).remainingMs(), signal: hangUpSignal(raw) },
      });
      return result as Output;
    };
  return {
    plan: running('plan', plan),
    planJson: running('planJson', planJson),
    exportJson: running('exportJson', exportJson),
  };
}

function isSmall({ state: { families } }: Pick<ExportInput, 'state'>): boolean {
  const owned = FAMILIES.flatMap((family) => families[family].owned);
  const bytes = owned.reduce((sum, { values }) => sum + values.length, 0);
  return owned.length <= SMALL_RECORDS && bytes <= SMALL_BYTES;
}

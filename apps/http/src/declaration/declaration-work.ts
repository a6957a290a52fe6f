import {
  checkNumbers,
  exportDeclaration,
  planDeclaration,
  TIMEOUT_MS,
  type ExportedDeclaration,
  type ExportInput,
  type Plan,
  type PlanInput,
} from '@plugin-config/domain';
import { FAMILIES } from '@plugin-config/domain/vocabulary';
import type { WorkThread } from '@plugin-config/flow/node';
import { accountOf, hangUpSignal } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';

/** The pure work on documents. */
export interface DeclarationWork {
  readonly plan: (input: PlanInput) => Promise<Plan>;
  readonly exportState: (input: ExportInput) => Promise<ExportedDeclaration>;
}

/** Smaller documents take less than 20 ms. */
const SMALL_RECORDS = 100;
const SMALL_BYTES = 64 * 1024;

/** Returns the work for one request. It runs on the thread unless it is small. */
export function declarationWork(thread: WorkThread, { request, raw }: FastifyReply): DeclarationWork {
  const run = (name: string, value: unknown): Promise<unknown> =>
    thread.run({
      tenant: accountOf(request),
      name,
      input: () => ({ value }),
      until: { remainingMs: TIMEOUT_MS, signal: hangUpSignal(raw) },
    });
  const sentBytes = Number(request.headers['content-length'] ?? Infinity);
  return {
    plan: async (input) => {
      if (sentBytes <= SMALL_BYTES && isSmall(input)) return planDeclaration(input);
      for (const family of FAMILIES) {
        for (const [index, { config }] of (input.declaration[family] ?? []).entries()) {
          // The class of an inexact number would be lost between the threads.
          if (config !== undefined) checkNumbers(config, `${family}[${index}].config`);
        }
      }
      return (await run('plan', input)) as Plan;
    },
    exportState: async (input) =>
      isSmall(input) ? exportDeclaration(input) : ((await run('export', input)) as ExportedDeclaration),
  };
}

function isSmall({ state: { families } }: ExportInput | PlanInput): boolean {
  const owned = FAMILIES.flatMap((family) => families[family].owned);
  const bytes = owned.reduce((sum, { values }) => sum + values.length, 0);
  return owned.length <= SMALL_RECORDS && bytes <= SMALL_BYTES;
}

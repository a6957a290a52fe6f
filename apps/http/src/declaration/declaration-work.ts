import {
  planDeclaration,
  TIMEOUT_MS,
  type ExportInput,
  type Plan,
  type PlanInput,
} from '@plugin-config/domain';
import { FAMILIES } from '@plugin-config/domain/vocabulary';
import type { WorkThread } from '@plugin-config/flow/node';
import { accountOf, hangUpSignal } from '@plugin-config/server';
import type { FastifyReply } from 'fastify';
import { exportedJson, plannedJson } from './declaration-json.ts';

/** The pure work on documents. */
export interface DeclarationWork {
  readonly plan: (input: PlanInput) => Promise<Plan>;
  /** Returns the response to a plan. */
  readonly planJson: (input: PlanInput) => Promise<Buffer>;
  /** Returns the response to an export. */
  readonly exportJson: (input: ExportInput) => Promise<Buffer>;
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
  const runJson = async (name: string, value: unknown): Promise<Buffer> => {
    const { buffer } = (await run(name, value)) as Uint8Array<ArrayBuffer>;
    return Buffer.from(buffer);
  };
  const isSmallPlan = (input: PlanInput): boolean => sentBytes <= SMALL_BYTES && isSmall(input);
  return {
    plan: async (input) =>
      isSmallPlan(input) ? planDeclaration(input) : ((await run('plan', input)) as Plan),
    planJson: async (input) =>
      isSmallPlan(input) ? Buffer.from(plannedJson(input)) : runJson('planJson', input),
    exportJson: async (input) =>
      isSmall(input) ? Buffer.from(exportedJson(input)) : runJson('exportJson', input),
  };
}

function isSmall({ state: { families } }: ExportInput | PlanInput): boolean {
  const owned = FAMILIES.flatMap((family) => families[family].owned);
  const bytes = owned.reduce((sum, { values }) => sum + values.length, 0);
  return owned.length <= SMALL_RECORDS && bytes <= SMALL_BYTES;
}

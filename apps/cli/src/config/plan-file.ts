import type { Document, Plan } from '@plugin-config/client';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { callersPath } from '../input-file.ts';

/** A plan that may be applied later, by whoever has the same secrets. It holds none. */
export interface SavedPlan extends Pick<Plan, 'base' | 'digest' | 'summary' | 'changes'> {
  readonly project: number;
  /** The plan is applied once, however often it is sent. */
  readonly idempotency_key: string;
  readonly document: Document;
}

export async function savePlan(
  file: string,
  { project, document, plan }: { readonly project: number; readonly document: Document; readonly plan: Plan },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { base, digest, summary, changes } = plan;
  const saved: SavedPlan = {
    project,
    base,
    digest,
    idempotency_key: randomUUID(),
    summary,
    changes,
    document,
  };
  await writeFile(callersPath(file, env), `${JSON.stringify(saved, null, 2)}\n`);
}

/** Tells a saved plan from a document. Whether it is whole is for the service to judge. */
export function isSavedPlan(value: unknown): value is SavedPlan {
  const isObject = typeof value === 'object' && value !== null;
  return (
    isObject &&
    ['project', 'digest', 'idempotency_key', 'document', 'summary'].every((field) => field in value)
  );
}

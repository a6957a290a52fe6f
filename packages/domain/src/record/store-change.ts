import type { NewActivity } from '../activity/activity-entry.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { checkPrecondition, type Precondition } from '../kernel/precondition.ts';
import type { Patience } from '@plugin-config/flow';
import type { SealedSecrets } from '../configuration/configuration.ts';
import type { ConfigRecord } from './config-record.ts';
import type { ConfigRecordStore } from './config-record-store.ts';

const MAX_ATTEMPTS = 32;

export interface PlannedWrite {
  readonly after: ConfigRecord;
  readonly activity: NewActivity;
  readonly secrets?: SealedSecrets;
}

/**
 * Stores a change by compare-and-swap. If another writer was faster, `decide` runs again on the current record. It
 * returns null if there is nothing to change.
 */
export async function storeChange(
  { records }: { readonly records: ConfigRecordStore },
  record: ConfigRecord,
  {
    precondition,
    patience,
  }: { readonly precondition: Precondition; readonly patience?: Patience | undefined },
  decide: (before: ConfigRecord) => PlannedWrite | null | Promise<PlannedWrite | null>,
): Promise<ConfigRecord> {
  let before = record;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    checkPrecondition(precondition, before.version);
    if (attempt > 0 && patience !== undefined && patience.left() <= 0) break;
    const write = await decide(before);
    if (write === null) return before;
    const stored = await records.save({ before, ...write, patience });
    if (stored !== null) return stored;
    before = found(await records.find(before));
  }
  throw tooManyChanges({ retryAfterSeconds: 1 });
}

function found({ value }: { readonly value: ConfigRecord | null }): ConfigRecord {
  if (value === null) throw recordNotFound();
  return value;
}

export function tooManyChanges(options: {
  readonly retryAfterSeconds: number;
  readonly cause?: unknown;
}): DomainError {
  return new DomainError(
    'busy',
    'Too many other requests are changing this at the moment. Try again.',
    options,
  );
}

export function recordNotFound(): DomainError {
  return new DomainError('not_found', 'Not found.');
}

import type { Author } from '../kernel/author.ts';
import { configurationWrite } from '../record/set-configuration.ts';
import { updateWrite } from '../record/update-record.ts';
import type { OwnedChange } from './managed-records.ts';
import type { Plan } from './plan-declaration.ts';
import type { PlannedRecord } from './plan-record.ts';

/** Returns what to store for a plan. Skips records that neither change nor were edited. Yields after each. */
export function* writesOf({ records }: Plan, author: Author): Generator<void, readonly OwnedChange[], void> {
  const writes: OwnedChange[] = [];
  for (const [family, planned] of records) {
    for (const each of planned) {
      const { change, owned, key, preventDestroy } = each;
      if (change === null && owned?.isAsApplied === true) continue;
      writes.push({ family, key, preventDestroy, record: recordOf(each, author) });
      yield;
    }
  }
  return writes;
}

/** Stores all effects of the plan on a record in one write, with one activity entry. */
function recordOf(planned: PlannedRecord, author: Author): OwnedChange['record'] {
  const { owned, configuration } = planned;
  if (owned === null) return { draft: planned.draft, values: configuration?.values ?? null, author };
  const { record: before } = owned;
  const { after } = planned;
  if (configuration === null)
    return after === before ? before.id : { before, ...updateWrite(before, after, author) };
  const write = configurationWrite({ ...before, ...after }, configuration, author);
  const { activity } = updateWrite(before, after, author).activity;
  if (activity === 'updated') return { before, ...write };
  return { before, ...write, activity: { ...write.activity, activity } };
}

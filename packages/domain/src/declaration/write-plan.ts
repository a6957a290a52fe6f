import type { Author } from '../kernel/author.ts';
import { changeWrite } from '../record/update-record.ts';
import type { OwnedChange } from './managed-records.ts';
import type { PlannedRecord } from './plan-record.ts';

/** Returns what to store for a plan: all but records that neither change nor were edited. */
export function writesOf(planned: readonly PlannedRecord[], author: Author): readonly OwnedChange[] {
  return planned
    .filter(({ change, owned }) => change !== null || owned?.isAsApplied !== true)
    .map((each) => {
      const { family, key, preventDestroy } = each;
      return { family, key, preventDestroy, record: recordOf(each, author) };
    });
}

/** Stores all effects of the plan on a record in one write, with one activity entry. */
function recordOf(planned: PlannedRecord, author: Author): OwnedChange['record'] {
  const { owned, configuration } = planned;
  if (owned === null) return { draft: planned.draft, values: configuration?.values ?? null, author };
  const { record: before } = owned;
  const { after } = planned;
  if (configuration === null && after === before) return before.id;
  return { before, ...changeWrite(before, after, configuration, author) };
}

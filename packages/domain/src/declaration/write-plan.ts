import type { TimeSlices } from '@plugin-config/flow';
import type { Author } from '../kernel/author.ts';
import type { FamilyRef } from '../project/family.ts';
import type { RecordWrite } from '../record/config-record-store.ts';
import { draftRecord, type ConfigRecord } from '../record/config-record.ts';
import { configurationWrite } from '../record/set-configuration.ts';
import { decideUpdate } from '../record/update-record.ts';
import type { LockedProject } from './managed-records.ts';
import type { OwnedRecord } from './managed-state.ts';
import type { PlannedChange } from './plan.ts';
import type { Plan } from './plan-declaration.ts';
import { NOT_REGISTERED, type PlannedRecord } from './plan-record.ts';

interface Dependencies {
  readonly locked: LockedProject;
  /** Thousands of writes are decided in slices. */
  readonly slices: TimeSlices;
}

interface Command {
  readonly projectId: number;
  readonly plan: Plan;
  readonly author: Author;
}

/** Stores all changes of a plan. Resolves to the ids of the new records, by their changes. */
export async function writePlan(
  dependencies: Dependencies,
  { projectId, plan, author }: Command,
): Promise<ReadonlyMap<PlannedChange, number>> {
  const ids = new Map<PlannedChange, number>();
  for (const [family, planned] of plan.records) {
    const ref = { projectId, family };
    const records = await writeFamily(dependencies, ref, planned, author);
    for (const [{ change }, { id }] of records) if (change !== null) ids.set(change, id);
    const owned = [...records].flatMap(([{ change, owned: before, key, preventDestroy }, { id }]) =>
      change === null && before?.isAsApplied === true ? [] : [{ id, family, key, preventDestroy }],
    );
    await dependencies.locked.own(owned);
  }
  return ids;
}

type Written = ReadonlyMap<PlannedRecord, ConfigRecord>;

/** The write of a planned record. */
interface WriteOf extends RecordWrite {
  readonly of: PlannedRecord;
}

async function writeFamily(
  dependencies: Dependencies,
  family: FamilyRef,
  planned: readonly PlannedRecord[],
  author: Author,
): Promise<Written> {
  const { locked, slices } = dependencies;
  const records = new Map(
    planned.flatMap((each) => (each.owned === null ? [] : [[each, each.owned.record] as const])),
  );
  const updates = planned.flatMap((each) =>
    each.owned !== null && each.change !== null && each.change.action !== 'move'
      ? [{ each, owned: each.owned }]
      : [],
  );
  const writes: WriteOf[] = [];
  for (const { each, owned } of updates) {
    if (slices.isDue()) await slices.yieldTurn();
    const write = await updateOf(locked, { each, owned, author });
    if (write !== null) writes.push({ ...write, of: each });
  }
  await save(locked, records, writes);
  const moves = planned.flatMap(({ owned, change, fields }) =>
    owned !== null && change?.action === 'move' ? [{ id: owned.record.id, order: fields.order ?? 0 }] : [],
  );
  await locked.move(family, moves, author);
  const additions = planned.filter(({ owned }) => owned === null);
  const drafts = additions.map(({ fields }) => draftRecord(fields));
  const created = await locked.create(family, drafts, author);
  for (const [i, each] of additions.entries()) {
    const record = created[i];
    if (record !== undefined) records.set(each, record);
  }
  const configured = planned.flatMap((each) => configurationOf(each, records.get(each), author));
  await save(locked, records, configured);
  return records;
}

async function save(
  locked: LockedProject,
  records: Map<PlannedRecord, ConfigRecord>,
  writes: readonly WriteOf[],
): Promise<void> {
  const saved = await locked.save(writes);
  for (const [i, { of }] of writes.entries()) {
    const record = saved[i];
    if (record !== undefined) records.set(of, record);
  }
}

async function updateOf(
  { state }: LockedProject,
  {
    each,
    owned: { record },
    author,
  }: { readonly each: PlannedRecord; readonly owned: OwnedRecord; readonly author: Author },
): Promise<RecordWrite | null> {
  // The plan has refused plugins that are not registered, if they have to be.
  const write = await decideUpdate({ requireRegistered: false }, record, {
    change: each.fields,
    author,
    registration: async (id) => state.plugins.get(id) ?? NOT_REGISTERED,
  });
  return write && { ...write, before: record };
}

function configurationOf(
  each: PlannedRecord,
  before: ConfigRecord | undefined,
  author: Author,
): readonly WriteOf[] {
  if (each.configuration === null || before === undefined) return [];
  return [{ of: each, before, ...configurationWrite(before, each.configuration, author) }];
}

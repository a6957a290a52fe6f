import type { TimeSlices } from '@plugin-config/flow';
import type { Author } from '../kernel/author.ts';
import type { FamilyRef } from '../project/family.ts';
import type { RecordWrite } from '../record/config-record-store.ts';
import { draftRecord, type ConfigRecord } from '../record/config-record.ts';
import { configurationWrite } from '../record/set-configuration.ts';
import { decideUpdate } from '../record/update-record.ts';
import type { LockedProject } from './managed-records.ts';
import type { Plan } from './plan-declaration.ts';
import { NOT_REGISTERED, type PlannedRecord } from './plan-record.ts';
import type { PlannedChange } from './plan.ts';

interface Dependencies {
  readonly locked: LockedProject;
  /** Splits thousands of writes into time slices. */
  readonly slices: TimeSlices;
}

interface Command {
  readonly projectId: number;
  readonly plan: Plan;
  readonly author: Author;
}

/** Stores all changes of a plan. Resolves to the ids of the new records, by change. */
export async function writePlan(
  dependencies: Dependencies,
  { projectId, plan, author }: Command,
): Promise<ReadonlyMap<PlannedChange, number>> {
  const ids = new Map<PlannedChange, number>();
  for (const [family, planned] of plan.records) {
    const records = await writeFamily(dependencies, { projectId, family }, planned, author);
    for (const [{ change }, { id }] of records) if (change !== null) ids.set(change, id);
    const owned = [...records].flatMap(([{ change, owned: before, key, preventDestroy }, { id }]) =>
      change === null && before?.isAsApplied === true ? [] : [{ id, family, key, preventDestroy }],
    );
    await dependencies.locked.own(owned);
  }
  return ids;
}

/** Stores the changes of one family. Resolves to all planned records in their new state. */
async function writeFamily(
  { locked, slices }: Dependencies,
  family: FamilyRef,
  planned: readonly PlannedRecord[],
  author: Author,
): Promise<ReadonlyMap<PlannedRecord, ConfigRecord>> {
  const records = new Map<PlannedRecord, ConfigRecord>();
  for (const each of planned) if (each.owned !== null) records.set(each, each.owned.record);
  const keep = (of: readonly PlannedRecord[], stored: readonly ConfigRecord[]): void => {
    for (const [i, each] of of.entries()) {
      const record = stored[i];
      if (record !== undefined) records.set(each, record);
    }
  };
  const save = async (
    writeOf: (each: PlannedRecord, record: ConfigRecord) => Promise<RecordWrite | null>,
  ): Promise<void> => {
    const writes = new Map<PlannedRecord, RecordWrite>();
    for (const [each, record] of records) {
      if (slices.isDue()) await slices.yieldTurn();
      const write = await writeOf(each, record);
      if (write !== null) writes.set(each, write);
    }
    keep([...writes.keys()], await locked.save([...writes.values()]));
  };

  await save(async ({ change, fields }, before) => {
    if (change === null || change.action === 'move') return null;
    // The plan has already rejected unregistered plugins if necessary.
    const write = await decideUpdate({ requireRegistered: false }, before, {
      change: fields,
      author,
      registration: async (id) => locked.state.plugins.get(id) ?? NOT_REGISTERED,
    });
    return write && { ...write, before };
  });
  const moves = planned.flatMap(({ owned, change, fields }) =>
    owned !== null && change?.action === 'move' ? [{ id: owned.record.id, order: fields.order ?? 0 }] : [],
  );
  await locked.move(family, moves, author);
  const additions = planned.filter(({ owned }) => owned === null);
  const drafts = additions.map(({ fields }) => draftRecord(fields));
  keep(additions, await locked.create(family, drafts, author));
  await save(async ({ configuration }, before) =>
    configuration === null ? null : { before, ...configurationWrite(before, configuration, author) },
  );
  return records;
}

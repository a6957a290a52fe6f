import { inSlices, type TimeSlices } from '@plugin-config/flow';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { invalidInput, type DomainError } from '../kernel/domain-error.ts';
import { baseText } from './base.ts';
import {
  checkDeclaration,
  declaredFamilies,
  pathOf,
  type Declaration,
  type DeclaredRecord,
} from './declaration.ts';
import {
  MANAGED_MAX_BYTES,
  tooLargeToManage,
  type ManagedFamily,
  type ManagedRecords,
  type ManagedScope,
  type ManagedState,
  type OwnedRecord,
} from './managed-records.ts';
import type { SecretValues } from './declared-configuration.ts';
import { summaryOf, type PlannedChange, type PlanReport } from './plan.ts';
import {
  NO_VALUE,
  NOT_REGISTERED,
  planDeletion,
  planRecord,
  type PlanContext,
  type PlannedRecord,
} from './plan-record.ts';
import { sequenceRecords } from './sequence-records.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

export interface PlanDependencies {
  readonly managed: ManagedRecords;
  readonly requireRegistered: boolean;
  /** Splits the planning of thousands of records into time slices. */
  readonly slices: () => TimeSlices;
}

interface Query {
  readonly projectId: number;
  readonly declaration: Declaration;
  readonly secrets: SecretValues;
}

/** Returns what applying the declaration would change now. */
export async function makePlan(
  { managed, requireRegistered, slices }: PlanDependencies,
  query: Query,
): Promise<PlanReport> {
  const state = await managed.read(scopeOf(query));
  const planning = planDeclaration({ ...query, state, requireRegistered });
  return (await inSlices(planning, slices())).report;
}

/** Returns what must be read to plan a declaration. */
export function scopeOf({ projectId, declaration }: Pick<Query, 'projectId' | 'declaration'>): ManagedScope {
  const records = declaredFamilies(declaration).flatMap((family) => declaration[family] ?? []);
  const plugins = [...new Set(records.map(({ plugin }) => plugin))];
  return { projectId, manager: declaration.manager, plugins };
}

/** A plan, with everything needed to apply it. */
export interface Plan {
  readonly report: PlanReport;
  readonly records: ReadonlyMap<Family, readonly PlannedRecord[]>;
}

interface Planned extends Omit<PlanContext, 'plugins'> {
  readonly declaration: Declaration;
  readonly state: ManagedState;
}

/**
 * Plans each record that the manager owns or declares. Yields repeatedly, because planning thousands takes a while.
 * @throws DomainError the first error, with its path in the document; `too_large` above `MANAGED_MAX_BYTES`
 */
export function* planDeclaration({ declaration, state, ...settings }: Planned): Generator<void, Plan, void> {
  checkDeclaration(declaration);
  const context = { ...settings, plugins: state.plugins, countConfiguration: managedBytes() };
  const { manager } = declaration;
  const records = new Map<Family, readonly PlannedRecord[]>();
  for (const family of declaredFamilies(declaration)) {
    const of = { declared: declaration[family] ?? [], stored: state.families[family] };
    records.set(family, yield* planFamily(context, family, of));
  }
  const all = [...records].flatMap(([family, planned]) => planned.map((record) => ({ family, ...record })));
  const changes = all.flatMap(({ change }) => change ?? []);
  const conflicts = all.flatMap(({ family, change, key, preventDestroy }) =>
    change?.action === 'delete' && preventDestroy && change.id !== null
      ? [{ family, id: change.id, key, manager }]
      : [],
  );
  const plugins = [...state.plugins].toSorted(([a], [b]) => a - b);
  const secrets = [...settings.secrets].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const declared = declaredFamilies(declaration).flatMap((family) => [
    family,
    ...(declaration[family] ?? []),
  ]);
  const versions = plugins.map(([id, { version }]) => [id, version]);
  let digest = '';
  // Chained digests: digesting the text of thousands of values at once would block the process.
  for (const value of [manager, ...secrets, ...declared, versions, ...changes.flatMap(partsOf)]) {
    digest = state.fingerprint(`${digest}\n${canonicalJson(value)}`);
    yield;
  }
  const report = {
    base: baseText(state.base),
    digest,
    changes,
    summary: summaryOf(changes),
    conflicts,
    warnings: all.flatMap(({ missing }) => missing.map((attr) => ({ attr, detail: NO_VALUE }))),
  };
  return { report, records };
}

/** How many fields of a change are digested before yielding. */
const STEP = 256;

function partsOf({ fields, ...change }: PlannedChange): readonly unknown[] {
  const parts: unknown[] = [change];
  for (let at = 0; at < fields.length; at += STEP) parts.push(fields.slice(at, at + STEP));
  return parts;
}

/**
 * Returns a function that adds up the sizes of configurations, and throws `too_large` above the limit. A secret or a
 * default is sent once, but may be stored in thousands of records.
 */
function managedBytes(): FamilyContext['countConfiguration'] {
  let total = 0;
  return ({ length }) => {
    total += length;
    if (total > MANAGED_MAX_BYTES) throw tooLargeToManage();
  };
}

interface FamilyContext extends PlanContext {
  readonly countConfiguration: (config: string) => void;
}

function* planFamily(
  context: FamilyContext,
  family: Family,
  { declared, stored }: { readonly declared: readonly DeclaredRecord[]; readonly stored: ManagedFamily },
): Generator<void, readonly PlannedRecord[], void> {
  const byKey = new Map(stored.owned.map((owned) => [owned.key, owned]));
  const owners = declared.map(({ key, moved_from: movedFrom }, index) => {
    const [owned, moved] = [byKey.get(key), byKey.get(movedFrom ?? '')];
    if (owned?.record.deleted === true && moved !== undefined) throw keyIsTaken(family, index, owned, moved);
    return owned ?? moved ?? null;
  });
  const positions = sequenceRecords(
    owners.map((owned) => (owned === null ? {} : { id: owned.record.id, order: owned.record.order })),
    stored.live,
  );
  const kept = new Set<OwnedRecord | null>(owners);
  // Includes records that were deleted by hand, so the apply stores them and they no longer count as drift.
  const pruned = stored.owned.filter(
    (owned) => !kept.has(owned) && !(owned.record.deleted && owned.isAsApplied),
  );
  for (const owned of stored.owned) if (!kept.has(owned)) context.countConfiguration(owned.record.config);
  const planned: PlannedRecord[] = [];
  for (const [index, record] of declared.entries()) {
    const owned = owners[index] ?? null;
    const placed = { family, index, declared: record, owned, order: positions[index] ?? 0 };
    const plan = yield* planRecord(context, placed);
    const { defaults } = context.plugins.get(record.plugin) ?? NOT_REGISTERED;
    context.countConfiguration(plan.configuration?.values ?? owned?.record.config ?? defaults);
    planned.push(plan);
    yield;
  }
  return [...planned, ...pruned.map((owned) => planDeletion(family, owned))];
}

/** Restoring one record and deleting the other is hardly what the author meant. */
function keyIsTaken(family: Family, index: number, owned: OwnedRecord, moved: OwnedRecord): DomainError {
  const message = `The key "${owned.key}" belongs to a deleted record, so the record "${moved.key}" cannot take it. Release the deleted one first.`;
  return invalidInput(`${pathOf(family, index)}.moved_from`, message);
}

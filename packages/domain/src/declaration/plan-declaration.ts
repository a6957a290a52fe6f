import { baseText } from './base.ts';
import { checkDeclaration, declaredFamilies, type Declaration, type DeclaredRecord } from './declaration.ts';
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
import { summaryOf, type PlanReport } from './plan.ts';
import { NO_VALUE, planDeletion, planRecord, type PlanContext, type PlannedRecord } from './plan-record.ts';
import { sequenceRecords } from './sequence-records.ts';
import type { Family } from '../vocabulary/vocabulary.ts';

export interface PlanDependencies<Result = Plan> {
  readonly managed: ManagedRecords;
  readonly requireRegistered: boolean;
  /** `planDeclaration`, here or on another thread, or its result in another form. */
  readonly plan: (planned: PlanInput) => Result | Promise<Result>;
}

interface Query {
  readonly projectId: number;
  readonly declaration: Declaration;
  readonly secrets: SecretValues;
}

/** Plans what applying the declaration would change now. */
export async function makePlan<Result>(
  { managed, requireRegistered, plan }: PlanDependencies<Result>,
  query: Query,
): Promise<Result> {
  const state = await managed.read(scopeOf(query));
  const { declaration, secrets } = query;
  return plan({ declaration, secrets, state, requireRegistered });
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
  readonly records: readonly PlannedRecord[];
}

/** What a plan depends on: plain data. */
export interface PlanInput extends Omit<PlanContext, 'plugins'> {
  readonly declaration: Declaration;
  readonly state: ManagedState;
}

/**
 * Decides what happens to each record that the manager owns or declares, for plans and applies alike.
 * @throws DomainError the first error, with its path in the document; `too_large` above `MANAGED_MAX_BYTES`
 */
export function planDeclaration({ declaration, state, ...settings }: PlanInput): Plan {
  checkDeclaration(declaration);
  const { manager } = declaration;
  const context = { ...settings, plugins: state.plugins, countConfiguration: managedBytes() };
  const records: PlannedRecord[] = [];
  for (const family of declaredFamilies(declaration)) {
    const of = { declared: declaration[family] ?? [], stored: state.families[family] };
    records.push(...planFamily(context, family, of));
  }
  const changes = records.flatMap(({ change }) => change ?? []);
  const conflicts = records.flatMap(({ family, change, key, preventDestroy }) =>
    change?.action === 'delete' && preventDestroy && change.id !== null
      ? [{ family, id: change.id, key, manager }]
      : [],
  );
  const warnings = records.flatMap(({ missing }) => missing.map((attr) => ({ attr, detail: NO_VALUE })));
  const report = { base: baseText(state.base), changes, summary: summaryOf(changes), conflicts, warnings };
  return { report, records };
}

/**
 * Returns a function that adds up the sizes of configurations, and throws `too_large` above the limit. A secret is
 * sent once, but may be stored in thousands of records.
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

function planFamily(
  context: FamilyContext,
  family: Family,
  { declared, stored }: { readonly declared: readonly DeclaredRecord[]; readonly stored: ManagedFamily },
): readonly PlannedRecord[] {
  const byKey = new Map(stored.owned.map((owned) => [owned.key, owned]));
  const owners = declared.map(({ key }) => byKey.get(key) ?? null);
  const kept = new Set<OwnedRecord | null>(owners);
  const pruned = stored.owned.filter((owned) => !kept.has(owned));
  for (const owned of pruned) context.countConfiguration(owned.record.config);
  const positions = sequenceRecords(
    owners.map((owned) => (owned === null ? {} : { id: owned.record.id, order: owned.record.order })),
    stored.live,
  );
  const planned: PlannedRecord[] = [];
  for (const [index, record] of declared.entries()) {
    const owned = owners[index] ?? null;
    const placed = { family, index, declared: record, owned, order: positions[index] ?? 0 };
    const plan = planRecord(context, placed);
    context.countConfiguration(plan.configuration?.values ?? owned?.record.config ?? '');
    planned.push(plan);
  }
  return [...planned, ...pruned.map((owned) => planDeletion(family, owned))];
}

import { utf8Length } from '../kernel/text.ts';
import { baseText } from './base.ts';
import { checkDeclaration, declaredFamilies, type Declaration } from './declaration.ts';
import {
  MANAGED_MAX_BYTES,
  tooLargeToManage,
  type ManagedRecords,
  type ManagedScope,
  type ManagedState,
} from './managed-records.ts';
import type { PlanReport } from './plan.ts';
import { withPluginIds } from './declared-plugins.ts';
import type { PluginStore } from '../plugin/plugin-store.ts';
import type { PluginRef } from '../vocabulary/vocabulary.ts';
import { NO_VALUE, planDeletion, planRecord, type PlanContext, type PlannedRecord } from './plan-record.ts';
import { IMPORT_MANAGER } from '../vocabulary/vocabulary.ts';
import { sequenceRecords } from './sequence-records.ts';

export interface PlanDependencies<Result = Plan> {
  readonly managed: ManagedRecords;
  readonly plugins: Pick<PluginStore, 'idsOf'>;
  readonly requireRegistered: boolean;
  /** `planDeclaration`, here or on another thread, or its result in another form. */
  readonly plan: (planned: PlanInput) => Result | Promise<Result>;
}

/** A declaration as callers send it, which can name plugins by slug. */
export interface Sent {
  readonly declaration: Declaration<PluginRef>;
}

/** Plans what applying the declaration would change now. */
export async function makePlan<Result>(
  { managed, plugins, requireRegistered, plan }: PlanDependencies<Result>,
  { projectId, secrets, ...sent }: Pick<ManagedScope, 'projectId'> & Pick<PlanInput, 'secrets'> & Sent,
): Promise<Result> {
  const declaration = await withPluginIds({ plugins }, sent.declaration);
  const state = await managed.read(scopeOf(projectId, declaration));
  // The comparison with a stored secret would reveal whether a guess is right.
  return plan({ declaration, secrets, mayHoldSecrets: false, state, requireRegistered });
}

/**
 * Returns what must be read to plan a declaration.
 * @throws DomainError if no state of a project satisfies the declaration
 */
export function scopeOf(projectId: number, declaration: Declaration): ManagedScope {
  checkDeclaration(declaration);
  const records = declaredFamilies(declaration).flatMap((declared) => declared.records);
  const plugins = new Set(records.map(({ plugin }) => plugin));
  const pins = records.flatMap(({ plugin, plugin_version: version }) =>
    version == null ? [] : [{ plugin, version }],
  );
  return { projectId, manager: declaration.manager, plugins: [...plugins], pins };
}

/** A plan, with everything needed to apply it. */
export interface Plan {
  readonly report: PlanReport;
  readonly records: readonly PlannedRecord[];
}

/** What the pure work on declarations needs besides plain data. */
export type PureDependencies = Pick<PlanContext, 'jsonSchemas'>;

/** The input of a plan: plain data. */
export interface PlanInput extends Omit<PlanContext, 'plugins' | 'versions' | 'jsonSchemas'> {
  readonly declaration: Declaration;
  readonly state: ManagedState;
}

/**
 * Decides what happens to each record that the manager owns or declares, for plans and applies alike.
 * @throws DomainError the first error, with its path in the document; `too_large` above `MANAGED_MAX_BYTES`
 */
export function planDeclaration(dependencies: PureDependencies, input: PlanInput): Plan {
  const { manager } = input.declaration;
  const records: PlannedRecord[] = [];
  let bytes = 0;
  for (const planned of plannedRecords({ ...input, ...dependencies })) {
    // A secret is sent once, but may be stored in thousands of records.
    bytes += utf8Length((planned.configuration ?? planned.owned)?.values ?? '');
    if (bytes > MANAGED_MAX_BYTES) throw tooLargeToManage();
    records.push(planned);
  }
  const changes = records.flatMap(({ change }) => change ?? []);
  const summary = { create: 0, update: 0, delete: 0, restore: 0, move: 0 };
  for (const { action } of changes) summary[action]++;
  const conflicts = records.flatMap(({ family, change, key, preventDestroy, owned }) =>
    change?.action === 'delete' && preventDestroy && owned !== null
      ? [{ family, id: owned.record.id, key, manager }]
      : [],
  );
  const warnings = records.flatMap(({ missing }) => missing.map((attr) => ({ attr, detail: NO_VALUE })));
  return { report: { base: baseText(input.state.base), changes, summary, conflicts, warnings }, records };
}

function* plannedRecords({
  declaration,
  state,
  ...settings
}: PlanInput & PureDependencies): Generator<PlannedRecord> {
  const context = { ...settings, plugins: state.plugins, versions: state.versions };
  for (const { family, records: declared } of declaredFamilies(declaration)) {
    const { live, owned } = state.families[family];
    const byKey = new Map(owned.map((each) => [each.key, each]));
    const positions = sequenceRecords(
      declared.map(({ key }) => byKey.get(key)?.record ?? {}),
      live,
    );
    for (const [index, record] of declared.entries()) {
      const order = positions[index] ?? 0;
      yield planRecord(context, {
        family,
        index,
        declared: record,
        owned: byKey.get(record.key) ?? null,
        order,
      });
    }
    if (declaration.manager === IMPORT_MANAGER) continue;
    const kept = new Set(declared.map(({ key }) => key));
    for (const each of owned) if (!kept.has(each.key)) yield planDeletion(family, each);
  }
}

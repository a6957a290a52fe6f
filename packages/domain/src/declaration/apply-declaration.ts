import type { Deadline } from '@plugin-config/flow';
import { IMPORT_MANAGER } from '../vocabulary/vocabulary.ts';
import { CONFIG_FIELD } from '../configuration/configuration.ts';
import type { Author } from '../kernel/author.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { changeWrite } from '../record/update-record.ts';
import { baseText, type Base } from './base.ts';
import { declaredFamilies, type Declaration } from './declaration.ts';
import type { SecretValues } from './declared-configuration.ts';
import type { EditedRecord, LockedProject, OwnedChange } from './managed-records.ts';
import { withPluginIds } from './declared-plugins.ts';
import { scopeOf, type Plan, type PlanDependencies, type Sent } from './plan-declaration.ts';
import type { Applied } from './plan.ts';
import { NO_VALUE, type PlannedRecord } from './plan-record.ts';

interface Dependencies extends PlanDependencies {
  /** Returns the id of a new apply. */
  readonly uuid: () => string;
}

interface Command extends Sent {
  readonly projectId: number;
  readonly secrets: SecretValues;
  /** The base of the plan to apply; null if it is of another project, or commits have been lost since. Only an import needs none. */
  readonly base: Base | null | undefined;
  /** The maximum number of deletions that the caller accepts. */
  readonly maxDeletes: number;
  readonly author: Author;
  readonly deadline?: Deadline | undefined;
}

/** Why a plan is out of date. */
export interface Stale {
  readonly message: string;
  /** The records that changed since the plan was made. */
  readonly changed: readonly EditedRecord[];
}

export type AppliedOrStale =
  | { readonly kind: 'applied'; readonly value: Applied }
  | ({ readonly kind: 'stale' } & Stale);

/**
 * Plans again and stores the result atomically, unless what the plan has read changed since, or an earlier request with the
 * author's key did: then returns the response to that request.
 * @throws DomainError any error of the declaration; `prevent_destroy`; `too_many_deletes`; `required` for a secret
 * without a value
 */
export async function applyDeclaration(
  dependencies: Dependencies,
  command: Command,
): Promise<AppliedOrStale> {
  const { projectId, base, secrets, deadline } = command;
  const isImport = command.declaration.manager === IMPORT_MANAGER;
  if (base === undefined && !isImport)
    throw new DomainError('required', 'This field is required.', { attr: 'base' });
  const declaration = await withPluginIds(dependencies, command.declaration);
  return dependencies.managed.lock(
    scopeOf(projectId, declaration),
    async (locked) => {
      const kept = await locked.kept(command.author);
      if (kept !== null) return { kind: 'applied', value: kept };
      const stale = base === undefined ? null : await changesSince(locked, declaration, base);
      if (stale !== null) return { kind: 'stale', ...stale };
      const { requireRegistered } = dependencies;
      const settings = { secrets, mayHoldSecrets: isImport, requireRegistered };
      const plan = await dependencies.plan({ declaration, state: locked.state, ...settings });
      checkLimits(plan, command.maxDeletes);
      const applyId = dependencies.uuid();
      const { once: _, ...actor } = command.author;
      const author = { ...actor, applyId };
      const isStored = ({ change, owned }: PlannedRecord) => change !== null || owned?.isAsApplied !== true;
      const writes = plan.records.filter(isStored).map((planned) => writeOf(planned, author));
      const newIds = await locked.store(writes);
      const changes = appliedChanges(plan, newIds);
      const { summary } = plan.report;
      const value = { applyId, summary, changes, base: baseText(await locked.base()) };
      await locked.keep(command.author, value);
      return { kind: 'applied', value };
    },
    deadline,
  );
}

const UNKNOWN_PLAN =
  'The plan is of another project, or the database has lost commits since it was made. Create a new plan.';
const RECORDS_DIFFER = 'Records have changed since the plan was made. Create a new plan.';
const OWNERS_DIFFER = 'Records were adopted since the plan was made. Create a new plan.';
const PLUGINS_DIFFER =
  'A plugin was registered again since the plan was made, or the document attaches others. Create a new plan.';

async function changesSince(
  locked: LockedProject,
  declaration: Declaration,
  base: Base | null,
): Promise<Stale | null> {
  if (base === null) return { message: UNKNOWN_PLAN, changed: [] };
  const now = locked.state.base;
  const families = declaredFamilies(declaration)
    .map(({ family }) => family)
    .filter((family) => base.families[family].listVersion !== now.families[family].listVersion);
  if (families.length > 0) {
    const changed = await locked.changedSince(base, families);
    return { message: changed.length > 0 ? RECORDS_DIFFER : OWNERS_DIFFER, changed };
  }
  return base.plugins === now.plugins ? null : { message: PLUGINS_DIFFER, changed: [] };
}

function checkLimits({ report }: Plan, maxDeletes: number): void {
  const [missing] = report.warnings;
  if (missing !== undefined) throw new DomainError('required', NO_VALUE, { attr: missing.attr });
  const [conflict] = report.conflicts;
  if (conflict !== undefined) {
    const message = `The record "${conflict.key}" is protected by prevent_destroy. Apply "prevent_destroy": false first.`;
    throw new DomainError('prevent_destroy', message, { attr: conflict.family });
  }
  const { delete: deletes } = report.summary;
  if (deletes <= maxDeletes) return;
  const count = deletes === 1 ? '1 record' : `${deletes} records`;
  const message = `The plan deletes ${count}, and max_deletes is ${maxDeletes}.`;
  throw new DomainError('too_many_deletes', message, { attr: 'max_deletes' });
}

/** Stores all effects of the plan on a record in one write, with one activity entry. */
function writeOf(planned: PlannedRecord, author: Author): OwnedChange {
  const { family, key, preventDestroy, configuration, owned, after } = planned;
  const named = { family, key, preventDestroy };
  if (owned === null) return { ...named, record: { draft: planned.after, configuration, author } };
  const { record: before } = owned;
  if (configuration === null && after === before) return { ...named, record: before.id };
  return { ...named, record: { before, ...changeWrite(before, planned.after, configuration, author) } };
}

/** Returns the changes without configuration values, and with the ids of the new records. */
function appliedChanges({ report }: Plan, newIds: readonly number[]): Applied['changes'] {
  const unused = newIds.values();
  return report.changes.map((change) => {
    const fields = change.fields.map((field) =>
      field.field.startsWith(CONFIG_FIELD) && 'before' in field ? { field: field.field } : field,
    );
    return { ...change, id: change.id ?? unused.next().value ?? null, fields };
  });
}

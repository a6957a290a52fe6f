import { canonicalJson } from '../kernel/canonical-json.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Family } from '../project/family.ts';
import { baseText } from './base.ts';
import {
  checkDeclaration,
  declaredFamilies,
  pathOf,
  type Declaration,
  type DeclaredRecord,
} from './declaration.ts';
import type { ManagedFamily, ManagedState, OwnedRecord } from './managed-state.ts';
import { summaryOf, type PlanReport } from './plan.ts';
import { planDeletion, planRecord, type PlanContext, type PlannedRecord } from './plan-record.ts';
import { sequenceRecords } from './sequence-records.ts';

/** A plan with all that applying it needs. */
export interface Plan {
  readonly report: PlanReport;
  readonly records: ReadonlyMap<Family, readonly PlannedRecord[]>;
}

interface Planned extends Omit<PlanContext, 'plugins'> {
  readonly declaration: Declaration;
  readonly state: ManagedState;
}

/**
 * Decides what becomes of each record that the manager owns or declares. Yields after each, since thousands take a while.
 * @throws DomainError the first error, at its place in the document
 */
export function* planDeclaration({ declaration, state, ...settings }: Planned): Generator<void, Plan, void> {
  checkDeclaration(declaration);
  const context = { ...settings, plugins: state.plugins };
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
  const { fingerprint } = state;
  const revisions = plugins.map(([id, { revision }]) => [id, revision]);
  const given = yield* fingerprintOf([manager, secrets, ...declared], fingerprint);
  const decided = yield* fingerprintOf([revisions, ...changes], fingerprint);
  const report = {
    base: baseText(state.base),
    digest: `${given}.${decided}`,
    changes,
    summary: summaryOf(changes),
    conflicts,
    warnings: all.flatMap(({ warnings }) => warnings),
  };
  return { report, records };
}

/** Characters that are hashed at a time. */
const CHUNK = 256 * 1024;

/** Whether two plans are of the same document and the same secrets. */
export function areOfSameDocument(one: string, other: string): boolean {
  return one.split('.')[0] === other.split('.')[0];
}

/** The fingerprint of the canonical JSON of these values, which is hashed in chunks of lines. */
function* fingerprintOf(
  values: readonly unknown[],
  fingerprint: (text: string) => string,
): Generator<void, string, void> {
  const fingerprints: string[] = [];
  let lines = '';
  for (const value of values) {
    lines += `${canonicalJson(value)}\n`;
    yield;
    if (lines.length < CHUNK) continue;
    fingerprints.push(fingerprint(lines));
    lines = '';
    yield;
  }
  return fingerprint([...fingerprints, lines].join('\n'));
}

function* planFamily(
  context: PlanContext,
  family: Family,
  { declared, stored }: { readonly declared: readonly DeclaredRecord[]; readonly stored: ManagedFamily },
): Generator<void, readonly PlannedRecord[], void> {
  const byKey = new Map(stored.owned.map((owned) => [owned.key, owned]));
  const owners = declared.map(({ key, movedFrom }, index) => {
    const [owned, moved] = [byKey.get(key), byKey.get(movedFrom ?? '')];
    if (owned?.record.deleted === true && moved !== undefined) throw keyIsTaken(family, index, owned, moved);
    return owned ?? moved ?? null;
  });
  const places = sequenceRecords(
    owners.map((owned) => (owned === null ? {} : { id: owned.record.id, order: owned.record.order })),
    stored.live,
  );
  const kept = new Set<OwnedRecord | null>(owners);
  // What was deleted by hand is no drift any more.
  const pruned = stored.owned.filter(
    (owned) => !kept.has(owned) && !(owned.record.deleted && owned.isAsApplied),
  );
  const planned: PlannedRecord[] = [];
  for (const [index, record] of declared.entries()) {
    const owned = owners[index] ?? null;
    const placed = { family, index, declared: record, owned, order: places[index] ?? 0 };
    planned.push(yield* planRecord(context, placed));
    yield;
  }
  return [...planned, ...pruned.map((owned) => planDeletion(family, owned))];
}

/** To restore the one record, and to delete the other, is hardly what was meant. */
function keyIsTaken(family: Family, index: number, owned: OwnedRecord, moved: OwnedRecord): DomainError {
  const message = `The key "${owned.key}" belongs to a deleted record, so the record "${moved.key}" cannot take it. Release the deleted one first.`;
  return new DomainError('invalid_input', message, { attr: `${pathOf(family, index)}.moved_from` });
}

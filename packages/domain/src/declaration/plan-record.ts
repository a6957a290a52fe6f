import { replaceConfiguration, type Replacement } from '../configuration/replace-configuration.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json } from '../kernel/json.ts';
import type { Family } from '../project/family.ts';
import type { ConfigRecord, RecordChange } from '../record/config-record.ts';
import { unregistered } from '../record/update-record.ts';
import { planConfiguration, type SecretValues } from './declared-configuration.ts';
import { pathOf, type DeclaredRecord } from './declaration.ts';
import type { OwnedRecord, SeededPlugin } from './managed-records.ts';
import type { PlanAction, PlannedChange, PlannedField } from './plan.ts';

/** What the plans of all records in a declaration depend on. */
export interface PlanContext {
  readonly plugins: ReadonlyMap<number, SeededPlugin>;
  readonly secrets: SecretValues;
  readonly requireRegistered: boolean;
}

/** A declared record, with its stored state and its position. */
export interface PlacedRecord {
  readonly family: Family;
  /** Its index in the document. */
  readonly index: number;
  readonly declared: DeclaredRecord;
  /** Null for a new record. */
  readonly owned: OwnedRecord | null;
  /** The position in the plan. */
  readonly order: number;
}

/** How a plan changes one record. */
export interface PlannedRecord {
  /** Null if nothing changes. */
  readonly change: PlannedChange | null;
  readonly key: string;
  readonly owned: OwnedRecord | null;
  readonly preventDestroy: boolean;
  /** The fields to set; complete for a new record. */
  readonly fields: RecordChange;
  /** The new configuration and its activity entry; null if the configuration is kept. */
  readonly configuration: Replacement | null;
  /** The paths of references for which no value was sent or stored. */
  readonly missing: readonly string[];
}

/** Plans one record. Yields repeatedly, because its configuration can have thousands of entries. */
export function* planRecord(
  context: PlanContext,
  placed: PlacedRecord,
): Generator<void, PlannedRecord, void> {
  const { family, index, declared, owned } = placed;
  const { key, prevent_destroy = owned?.preventDestroy ?? false } = declared;
  const path = pathOf(family, index);
  const seeded = context.plugins.get(declared.plugin) ?? NOT_REGISTERED;
  if (seeded.plugin === null && context.requireRegistered) throw at(path, unregistered(declared.plugin));
  const fields = owned === null ? newFields(placed) : changedFields(placed, owned.record);
  const changes =
    owned === null
      ? differences({}, { ...fields, prevent_destroy }).filter(({ after }) => after !== false)
      : differences(
          { ...owned.record, key: owned.key, prevent_destroy: owned.preventDestroy },
          { ...fields, key, prevent_destroy },
        );
  const config = yield* configured(context, placed, { path, seeded });
  const all = [...changes, ...config.fields];
  const isChanged = all.some((field) => !isUnchanged(field));
  const change = { action: actionOf(owned, all), family, key, id: owned?.record.id ?? null, fields: all };
  return {
    change: isChanged ? change : null,
    key,
    owned,
    preventDestroy: prevent_destroy,
    fields,
    configuration: config.configuration,
    missing: config.missing,
  };
}

/** Plans the deletion of an owned record that is not in the document. Nothing changes if it is already deleted. */
export function planDeletion(family: Family, owned: OwnedRecord): PlannedRecord {
  const { key, preventDestroy, record } = owned;
  const fields = [{ field: 'deleted', before: false, after: true }];
  return {
    change: record.deleted ? null : { action: 'delete', family, key, id: record.id, fields },
    key,
    owned,
    preventDestroy,
    fields: { deleted: true },
    configuration: null,
    missing: [],
  };
}

export const NO_VALUE = 'The secret has no value: none was sent or stored.';

function newFields({ declared, order }: PlacedRecord) {
  const { plugin, enabled = false, name = null, description = null } = declared;
  return { plugin, enabled, order, name, description };
}

function changedFields({ declared, order }: PlacedRecord, record: ConfigRecord) {
  const { plugin, enabled, name, description } = declared;
  return {
    ...(plugin !== record.plugin && { plugin }),
    ...(enabled !== undefined && enabled !== record.enabled && { enabled }),
    ...(name !== undefined && name !== record.name && { name }),
    ...(description !== undefined && description !== record.description && { description }),
    ...(record.deleted && { deleted: false }),
    ...(order !== record.order && { order }),
  };
}

type Values = Readonly<Record<string, Json | undefined>>;

function differences(before: Readonly<Record<string, unknown>>, after: Values) {
  return Object.entries(after).flatMap(([field, value = null]) => {
    const old = scalar(before[field]);
    return old === value ? [] : [{ field, before: old, after: value }];
  });
}

function scalar(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const isUnchanged = ({ secret }: PlannedField): boolean => secret === 'unchanged';

function actionOf(owned: OwnedRecord | null, fields: readonly PlannedField[]): PlanAction {
  if (owned === null) return 'create';
  if (owned.record.deleted) return 'restore';
  return fields.every((one) => one.field === 'order' || isUnchanged(one)) ? 'move' : 'update';
}

/** The state of a plugin id that was never registered. */
export const NOT_REGISTERED: SeededPlugin = {
  plugin: null,
  version: null,
  secretNames: new Set(),
  defaults: '{}',
};

type ConfiguredRecord = Pick<PlannedRecord, 'configuration' | 'missing'> & Pick<PlannedChange, 'fields'>;

function* configured(
  { secrets }: PlanContext,
  { declared, owned }: PlacedRecord,
  { path, seeded }: { readonly path: string; readonly seeded: SeededPlugin },
): Generator<void, ConfiguredRecord, void> {
  const declaredConfig = declared.config;
  if (declaredConfig === undefined) return { fields: [], configuration: null, missing: [] };
  const { plugin } = seeded;
  const stored = {
    plugin,
    values: owned === null ? seeded.defaults : owned.values(),
    secretNames: owned === null ? seeded.secretNames : new Set([...owned.secretNames, ...seeded.secretNames]),
  };
  try {
    const schema = plugin?.configSchema ?? [];
    const comparison = { stored, schema, declared: declaredConfig, secrets };
    const { fields, newConfig, missing } = yield* planConfiguration(comparison);
    yield;
    const isDecided = newConfig !== null && missing.length === 0;
    const configuration = isDecided
      ? replaceConfiguration(stored, newConfig, { isKept: (key) => !Object.hasOwn(declaredConfig, key) })
      : null;
    return { fields, configuration, missing: missing.map((key) => `${path}.config.${key}`) };
  } catch (error) {
    throw error instanceof DomainError ? at(`${path}.config`, error) : error;
  }
}

/** Prefixes the attribute of an error with a path in the document. */
function at(path: string, { code, message, attr, errors, retryAfterSeconds }: DomainError): DomainError {
  const prefixed = attr === null || attr === 'config' ? path : `${path}.${attr}`;
  return new DomainError(code, message, {
    attr: prefixed,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    ...(errors !== null && { errors: errors.map((each) => at(path, each)) }),
  });
}

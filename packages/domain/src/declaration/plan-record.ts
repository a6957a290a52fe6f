import {
  checkConfiguration,
  replaceConfiguration,
  type Replacement,
} from '../configuration/replace-configuration.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { FieldChange } from '../activity/activity-entry.ts';
import {
  changeRecord,
  draftRecord,
  type RecordDraft,
  type UnversionedRecord,
} from '../record/config-record.ts';
import { NOT_REGISTERED, type Plugin, type Registration } from '../plugin/plugin.ts';
import { changesOf, initialFields } from '../record/describe-change.ts';
import { attach, unregistered } from '../record/update-record.ts';
import { planConfiguration, type ConfigurationPlan, type SecretValues } from './declared-configuration.ts';
import { pathOf, type DeclaredRecord } from './declaration.ts';
import type { OwnedRecord } from './managed-records.ts';
import type { PlannedChange, PlannedField } from './plan.ts';
import type { Family, PlanAction } from '../vocabulary/vocabulary.ts';

/** What the plans of all records in a declaration depend on. */
export interface PlanContext {
  readonly plugins: ReadonlyMap<number, Registration>;
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
export type PlannedRecord = (NewRecord | ChangedRecord) & {
  readonly family: Family;
  /** Null if nothing changes. */
  readonly change: PlannedChange | null;
  readonly key: string;
  readonly preventDestroy: boolean;
  /** The new configuration; null if it is kept. Its activity entry includes the changed fields. */
  readonly configuration: Replacement | null;
  /** The paths of references for which no value was sent or stored. */
  readonly missing: readonly string[];
};

interface NewRecord {
  readonly owned: null;
  readonly draft: RecordDraft;
}

interface ChangedRecord {
  readonly owned: OwnedRecord;
  /** The record with its new fields; the same object if none changes. */
  readonly after: UnversionedRecord;
}

/** Plans one declared record. */
export function planRecord(context: PlanContext, placed: PlacedRecord): PlannedRecord {
  const { family, index, declared, owned } = placed;
  const { key, plugin, prevent_destroy: preventDestroy = owned?.preventDestroy ?? false } = declared;
  const path = pathOf(family, index);
  const registration = context.plugins.get(plugin) ?? NOT_REGISTERED;
  const target = targetOf(context, placed, { path, registration });
  const fields =
    target.owned === null
      ? initialFields(target.draft).filter(({ after }) => after !== false)
      : changesOf(target.owned.record, target.after);
  const protection = {
    field: 'prevent_destroy',
    before: owned?.preventDestroy ?? false,
    after: preventDestroy,
  };
  const others = target.owned === null ? [] : fields;
  const isChecked =
    target.owned === null
      ? target.draft.enabled
      : target.after.enabled &&
        (!target.owned.record.enabled || target.after.plugin !== target.owned.record.plugin);
  const config = configured(context, placed, { path, registration, others, isChecked });
  const isProtectionKept = protection.before === protection.after;
  const all = [...fields, ...(isProtectionKept ? [] : [protection]), ...config.fields];
  const isChanged = all.some((field) => !isUnchanged(field));
  const change = { action: actionOf(owned, all), family, key, id: owned?.record.id ?? null, fields: all };
  return {
    ...target,
    family,
    change: isChanged ? change : null,
    key,
    preventDestroy,
    configuration: config.configuration,
    missing: config.missing,
  };
}

interface Located {
  /** The path of the record in the document. */
  readonly path: string;
  readonly registration: Registration;
}

function targetOf(
  { requireRegistered }: PlanContext,
  { declared, owned, order }: PlacedRecord,
  { path, registration }: Located,
): NewRecord | ChangedRecord {
  const { plugin, enabled, name, description } = declared;
  const wanted = { plugin, enabled, name, description, order, deleted: false };
  try {
    if (requireRegistered && registration.plugin === null) throw unregistered(plugin);
    if (owned === null) return { owned, draft: draftRecord(wanted) };
    const { record: before } = owned;
    const after = changeRecord(before, wanted);
    if (after.plugin === before.plugin) return { owned, after };
    return { owned, after: attach({ requireRegistered }, before, after, registration) };
  } catch (error) {
    throw error instanceof DomainError ? at(path, error) : error;
  }
}

/** Plans the deletion of an owned record that is not in the document. Nothing changes if it is already deleted. */
export function planDeletion(family: Family, owned: OwnedRecord): PlannedRecord {
  const { key, preventDestroy, record } = owned;
  const after = changeRecord(record, { deleted: true });
  const fields = changesOf(record, after);
  return {
    family,
    change: after === record ? null : { action: 'delete', family, key, id: record.id, fields },
    key,
    owned,
    after,
    preventDestroy,
    configuration: null,
    missing: [],
  };
}

export const NO_VALUE = 'The secret has no value: none was sent or stored.';

const isUnchanged = ({ secret }: PlannedField): boolean => secret === 'unchanged';

function actionOf(owned: OwnedRecord | null, fields: readonly PlannedField[]): PlanAction {
  if (owned === null) return 'create';
  if (owned.record.deleted) return 'restore';
  return fields.every((one) => one.field === 'order' || isUnchanged(one)) ? 'move' : 'update';
}

type ConfiguredRecord = Pick<PlannedRecord, 'configuration' | 'missing'> & Pick<PlannedChange, 'fields'>;

interface ConfiguredOptions extends Located {
  readonly others: readonly FieldChange[];
  /** Whether the schema has to accept the whole configuration, as for a record that the document enables. */
  readonly isChecked: boolean;
}

function configured(
  { secrets }: PlanContext,
  { declared: { config: declared }, owned }: PlacedRecord,
  { path, registration, others, isChecked }: ConfiguredOptions,
): ConfiguredRecord {
  const stored = {
    plugin: registration.plugin,
    defaults: registration.defaults,
    values: owned === null ? '{}' : owned.values,
    secretNames:
      owned === null
        ? registration.secretNames
        : new Set([...owned.secretNames, ...registration.secretNames]),
  };
  try {
    const { fields, newConfig, missing } =
      declared === undefined
        ? NOT_MANAGED
        : planConfiguration({ stored, schema: registration.plugin?.configSchema ?? [], declared, secrets });
    const checked = { ...stored, plugin: withoutFields(registration.plugin, missing) };
    const isKept = (key: string): boolean => declared === undefined || !Object.hasOwn(declared, key);
    const configuration = newConfig && replaceConfiguration(checked, newConfig, { others, isKept });
    if (isChecked) checkConfiguration({ ...checked, values: configuration?.values ?? stored.values });
    return { fields, configuration, missing: missing.map((key) => `${path}.config.${key}`) };
  } catch (error) {
    throw error instanceof DomainError ? at(`${path}.config`, error) : error;
  }
}

const NOT_MANAGED: ConfigurationPlan = { fields: [], newConfig: null, missing: [] };

/** Returns the plugin without the fields of secrets whose values were not sent. An apply rejects these. */
function withoutFields(plugin: Plugin | null, missing: readonly string[]): Plugin | null {
  if (plugin?.configSchema === undefined || missing.length === 0) return plugin;
  return { ...plugin, configSchema: plugin.configSchema.filter(({ key }) => !missing.includes(key)) };
}

/** Prefixes the attribute of an error with a path in the document. */
function at(path: string, { code, message, attr, errors, retryAfterSeconds }: DomainError): DomainError {
  return new DomainError(code, message, {
    attr: attr === null || attr === 'config' ? path : `${path}.${attr}`,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    ...(errors !== null && { errors: errors.map((each) => at(path, each)) }),
  });
}

import { DomainError } from '../kernel/domain-error.ts';
import {
  changeRecord,
  draftRecord,
  type RecordChange,
  type RecordDraft,
  type UnversionedRecord,
} from '../record/config-record.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { NOT_REGISTERED, type Registration } from '../plugin/plugin.ts';
import { changesOf, initialFields } from '../record/describe-change.ts';
import { noVersion, rejectWithdrawn } from '../plugin-version/upgrade-record.ts';
import { attach, unregistered } from '../record/update-record.ts';
import {
  planConfiguration,
  type ConfigurationPlan,
  type FollowedVersion,
  type SecretValues,
} from './declared-configuration.ts';
import { pathOf, type DeclaredRecord } from './declaration.ts';
import { pinKey, type ManagedState, type OwnedChange, type OwnedRecord } from './managed-records.ts';
import type { PlannedChange, PlannedField } from './plan.ts';
import { perText, type Family, type PlanAction } from '../vocabulary/vocabulary.ts';

/** The common input for the plans of all records in a declaration. */
export interface PlanContext {
  readonly plugins: ManagedState['plugins'];
  readonly versions: ManagedState['versions'];
  readonly secrets: SecretValues;
  /** Whether configurations may hold secrets in plain text. */
  readonly mayHoldSecrets: boolean;
  readonly requireRegistered: boolean;
  readonly jsonSchemas: JsonSchemas;
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

/** How a plan changes one record: what it shows, and what an apply stores. */
export type PlannedRecord = Target &
  Pick<ConfigurationPlan, 'configuration'> &
  Omit<OwnedChange, 'record'> & {
    /** Null if nothing changes. */
    readonly change: PlannedChange | null;
    /** The paths of references for which no value was sent or stored. */
    readonly missing: readonly string[];
  };

type Target =
  | { readonly owned: null; readonly after: RecordDraft }
  | {
      readonly owned: OwnedRecord;
      /** The same object if no field changes. */
      readonly after: UnversionedRecord;
    };

export function planRecord(
  context: PlanContext,
  { family, index, declared, owned, order }: PlacedRecord,
): PlannedRecord {
  const { key, plugin, enabled, config } = declared;
  const path = pathOf(family, index);
  const version = located(path, () => versionOf(context, declared, owned));
  const { registration } = version;
  const wanted = { plugin, enabled, ...perText((text) => declared[text]), order, deleted: false };
  const target = located(path, () => targetOf(context, owned, wanted, registration));
  const unconfigured = following(target, version, { isConfigured: false });
  const reconfigured = following(target, version, { isConfigured: true });
  const secretNames = new Set([...(owned?.secretNames ?? []), ...registration.secretNames]);
  const configured = located(`${path}.config`, () =>
    planConfiguration(config, {
      stored: {
        ...registration,
        secretNames,
        values: owned?.values ?? '{}',
        jsonSchemas: context.jsonSchemas,
      },
      secrets: context.secrets,
      mayHoldSecrets: context.mayHoldSecrets,
      before: owned?.record ?? null,
      after: target.after,
      follows: followedBy(unconfigured, registration),
      others: owned === null ? [] : fieldsOf(reconfigured),
    }),
  );
  const before = owned?.preventDestroy ?? false;
  const preventDestroy = declared.prevent_destroy ?? before;
  const protection = { field: 'prevent_destroy', before, after: preventDestroy };
  const after = configured.configuration === null ? unconfigured : reconfigured;
  const fields = [
    ...fieldsOf(after),
    ...(before === preventDestroy ? [] : [protection]),
    ...configured.fields,
  ];
  const change = { action: actionOf(owned, fields), family, key, id: owned?.record.id ?? null, fields };
  return {
    ...after,
    family,
    key,
    preventDestroy,
    change: fields.every(isUnchanged) ? null : change,
    configuration: configured.configuration,
    missing: configured.missing.map((entry) => `${path}.config.${entry}`),
  };
}

/** Plans the deletion of an owned record that is not in the document, unless it is already deleted. */
export function planDeletion(family: Family, owned: OwnedRecord): PlannedRecord {
  const { key, preventDestroy, record } = owned;
  const target = { owned, after: changeRecord(record, { deleted: true }) };
  const fields = fieldsOf(target);
  const change = { action: 'delete', family, key, id: record.id, fields } as const;
  return {
    ...target,
    family,
    key,
    preventDestroy,
    configuration: null,
    change: fields.length === 0 ? null : change,
    missing: [],
  };
}

function targetOf(
  { requireRegistered }: PlanContext,
  owned: OwnedRecord | null,
  wanted: RecordChange & Pick<DeclaredRecord, 'plugin'>,
  registration: Registration,
): Target {
  if (requireRegistered && registration.plugin === null) throw unregistered(wanted.plugin);
  if (owned === null) return { owned, after: draftRecord(wanted) };
  const { record: before } = owned;
  const after = changeRecord(before, wanted);
  if (after.plugin === before.plugin) return { owned, after };
  return { owned, after: attach({ requireRegistered }, before, after, registration) };
}

/** The version of a plugin that a declared configuration is for. */
interface DeclaredVersion {
  /** Null to follow the current version; undefined to do so if the configuration changes. */
  readonly pin: string | null | undefined;
  readonly registration: Registration;
}

function versionOf(
  { plugins, versions }: PlanContext,
  { plugin, plugin_version: declared }: DeclaredRecord,
  owned: OwnedRecord | null,
): DeclaredVersion {
  const current = plugins.get(plugin) ?? NOT_REGISTERED;
  const before = owned?.record.plugin === plugin ? owned.record : null;
  const isCurrentSchema = before?.schemaVersion === current.schemaVersion;
  const pin = declared === undefined && isCurrentSchema ? before.pinnedVersion : declared;
  if (pin == null) return { pin, registration: current };
  const version = versions.get(pinKey({ plugin, version: pin }));
  // The version may be withdrawn, or the plugin removed.
  if (pin === before?.pinnedVersion) return { pin, registration: version?.registration ?? current };
  if (version === undefined) throw noVersion(pin, 'plugin_version');
  rejectWithdrawn(version, 'plugin_version');
  return { pin, registration: version.registration };
}

/** Returns the target with the version that it follows. No configuration is migrated: a declared one has the schema of its version. */
function following(
  target: Target,
  { pin, registration: { schemaVersion } }: DeclaredVersion,
  { isConfigured }: { readonly isConfigured: boolean },
): Target {
  const { owned, after } = target;
  if (owned === null) return pin == null ? target : { owned, after: { ...after, pinnedVersion: pin } };
  const isMoved = (pin != null || isConfigured) && after.schemaVersion !== schemaVersion;
  const versions = {
    schemaVersion: isMoved ? schemaVersion : after.schemaVersion,
    pinnedVersion: pin === undefined && !isMoved ? after.pinnedVersion : (pin ?? null),
  };
  const isSame =
    versions.schemaVersion === after.schemaVersion && versions.pinnedVersion === after.pinnedVersion;
  return isSame ? target : { owned, after: { ...after, ...versions } };
}

function followedBy({ owned, after }: Target, { schemaVersion }: Registration): FollowedVersion {
  if (owned === null || after.plugin !== owned.record.plugin) return 'same';
  if (after.schemaVersion !== owned.record.schemaVersion) return 'other_schema';
  const isOther = after.pinnedVersion !== owned.record.pinnedVersion && after.schemaVersion === schemaVersion;
  return isOther ? 'other_version' : 'same';
}

function fieldsOf({ owned, after }: Target) {
  if (owned !== null) return changesOf(owned.record, after);
  return initialFields(after).filter((field) => field.after !== false);
}

export const NO_VALUE = 'The secret has no value: none was sent or stored.';

const isUnchanged = ({ secret }: PlannedField): boolean => secret === 'unchanged';

function actionOf(owned: OwnedRecord | null, fields: readonly PlannedField[]): PlanAction {
  if (owned === null) return 'create';
  if (owned.record.deleted) return 'restore';
  return fields.every((one) => one.field === 'order' || isUnchanged(one)) ? 'move' : 'update';
}

/** Prefixes the attributes of errors with a path in the document. */
function located<T>(path: string, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw error instanceof DomainError ? at(path, error) : error;
  }
}

function at(path: string, { code, message, attr, errors, retryAfterSeconds }: DomainError): DomainError {
  return new DomainError(code, message, {
    attr: attr === null || attr === 'config' ? path : `${path}.${attr}`,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    ...(errors !== null && { errors: errors.map((each) => at(path, each)) }),
  });
}

import { checkValue, type ConfigField } from '../configuration/config-field.ts';
import { MASK, maskValues, readValues } from '../configuration/configuration.ts';
import { isReference } from '../configuration/reference.ts';
import { DomainError } from '../kernel/domain-error.ts';
import type { Json, JsonObject } from '../kernel/json.ts';
import type { JsonSchemas } from '../kernel/json-schemas.ts';
import { perFamily } from '../project/family.ts';
import { byPosition } from '../record/ordering.ts';
import { RECORD_TEXTS, SLUG_PREFIX, type PluginRef } from '../vocabulary/vocabulary.ts';
import { pathOf, type Declaration, type DeclaredRecord } from './declaration.ts';
import { namesSecret, referenceTo } from './declared-configuration.ts';
import {
  pinKey,
  type ManagedRecords,
  type ManagedScope,
  type ManagedState,
  type OwnedRecord,
} from './managed-records.ts';
import type { PlanWarning } from './plan.ts';
import type { PureDependencies } from './plan-declaration.ts';

export type ExportedDeclaration = Declaration<PluginRef> & {
  /** The omitted entries; absent if there are none. */
  readonly warnings?: readonly PlanWarning[];
};

/** The input of an export: plain data. */
export interface ExportInput {
  readonly manager: string;
  readonly state: ManagedState;
}

interface Dependencies<Result> {
  readonly managed: ManagedRecords;
  /** `exportDeclaration`, here or on another thread, or its result in another form. */
  readonly exportState: (input: ExportInput) => Result | Promise<Result>;
}

/** Exports the records that a manager owns, as a declaration. */
export async function exportManaged<Result>(
  { managed, exportState }: Dependencies<Result>,
  { projectId, manager }: Pick<ManagedScope, 'projectId' | 'manager'>,
): Promise<Result> {
  const state = await managed.read({ projectId, manager, plugins: [], pins: [] });
  return exportState({ manager, state });
}

/**
 * Writes the live records of a manager as a declaration that could be applied to any project: without ids,
 * defaults or entries that the schema of its version rejects, and with references instead of secrets.
 */
export function exportDeclaration(
  { jsonSchemas }: PureDependencies,
  { manager, state: { families, plugins, versions } }: ExportInput,
): ExportedDeclaration {
  const secretName = namesOfSecrets();
  const warnings: PlanWarning[] = [];
  const exported = perFamily((family) => {
    const live = families[family].owned.filter(({ record }) => !record.deleted);
    const sorted = live.toSorted((a, b) => byPosition(a.record, b.record));
    return sorted.map((owned, index): DeclaredRecord<PluginRef> => {
      const { key, preventDestroy, record } = owned;
      const { enabled } = record;
      const texts = RECORD_TEXTS.filter((text) => record[text] !== null);
      const { plugin, pinnedVersion } = record;
      const pinned =
        pinnedVersion === null ? undefined : versions.get(pinKey({ plugin, version: pinnedVersion }));
      const { slug, configSchema: schema } = (pinned?.registration ?? plugins.get(plugin))?.plugin ?? {};
      const { config, leftOut } = exportedConfiguration(owned, schema, { secretName, jsonSchemas });
      if (leftOut.length > 0) warnings.push(warningOf(`${pathOf(family, index)}.config`, leftOut));
      return {
        key,
        plugin: slug === undefined ? plugin : `${SLUG_PREFIX}${slug}`,
        ...(pinned !== undefined && { plugin_version: pinned.version }),
        ...(enabled && { enabled }),
        ...Object.fromEntries(texts.map((text) => [text, record[text]])),
        ...(Object.keys(config).length > 0 && { config }),
        ...(preventDestroy && { prevent_destroy: true }),
      };
    });
  });
  return { manager, ...exported, ...(warnings.length > 0 && { warnings }) };
}

const SHOWN_MAX = 1000;

function warningOf(attr: string, leftOut: readonly string[]): PlanWarning {
  const names = leftOut.map((name) => JSON.stringify(name)).join(', ');
  const shown = names.length > SHOWN_MAX ? `${names.slice(0, SHOWN_MAX).toWellFormed()}…` : names;
  return {
    attr,
    detail: `Left out, because a document cannot contain them, or the plugin's schema rejects them: ${shown}.`,
  };
}

interface Exporting extends PureDependencies {
  readonly secretName: (key: string, entry: string) => string;
}

/** Returns the entries to declare, and the names of entries that a plan would reject. */
function exportedConfiguration(
  { key, secretNames, values }: OwnedRecord,
  schema: readonly ConfigField[] | undefined,
  { secretName, jsonSchemas }: Exporting,
): { readonly config: JsonObject; readonly leftOut: readonly string[] } {
  const fields = schema && new Map(schema.map((field) => [field.key, field]));
  const entries: (readonly [string, Json])[] = [];
  const leftOut: string[] = [];
  const shown = maskValues(readValues(values), secretNames);
  for (const [entry, value] of [...shown].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const field = fields?.get(entry);
    const isSecret = secretNames.has(entry);
    // A cleared secret is stored as an empty value.
    const isCleared = isSecret && value !== MASK && !isReference(value);
    if (isCleared) continue;
    const isAccepted =
      fields === undefined || (field !== undefined && (isSecret || isValid(jsonSchemas, field, value)));
    // Null would clear the entry.
    const isExpressible = isSecret || (value !== null && !namesSecret(value));
    if (!isAccepted || !isExpressible) leftOut.push(entry);
    else if (!isSecret) entries.push([entry, value]);
    else entries.push([entry, value === MASK ? referenceTo(secretName(key, entry)) : value]);
  }
  return { config: Object.fromEntries(entries), leftOut };
}

function isValid(jsonSchemas: JsonSchemas, field: ConfigField, value: Json): boolean {
  try {
    checkValue(jsonSchemas, field, value);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** Leaves room for a number: a name has at most 200 characters. */
const NAME_MAX = 190;

/** Names each secret after its record and entry, with a number if the name is taken. */
function namesOfSecrets(): (key: string, entry: string) => string {
  const taken = new Set<string>();
  return (key, entry) => {
    const words = `${key}_${entry}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
    const base = (/^\d/.test(words) ? `_${words}` : words).slice(0, NAME_MAX);
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
    taken.add(name);
    return name;
  };
}
